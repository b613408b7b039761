// What stands under the board: the move that led to the position, and who won.

import { COLOURS, hasWon, winnerOf } from "../../game.js";

/**
 * @param {Position} position
 * @param {import("./tree.js").Place} place
 * @param {string[]} players
 * @param {Bounds} range
 * @param {Pick<GameRef, "since" | "former">} game how many moves others had played before, and who these were
 */
export function saidOf({ node, result }, place, players, range, { since = 0, former = COLOURS }) {
	const { names, chance } = place.told ?? {};
	const movers = place.depth > since ? players : former;
	const last = chance
		? `Chance: ${names?.[0]}`
		: place.before && names
			? names
					.map((name, player) => (name ? `${movers[player]}: ${name}` : ""))
					.filter(Boolean)
					.join(", ")
			: "The start";
	if (node !== "over") return last;
	const winner = winnerOf(result, range);
	return `${last}. ${winner === null ? "Drawn." : `${hasWon(players[winner])}.`}`;
}
