// What stands under the board: the move that led to the position, and who won.

import { hasWon, winnerOf } from "../../game.js";

/**
 * @param {Position} position
 * @param {import("./tree.js").Place} place
 * @param {string[]} players
 * @param {Bounds} range
 */
export function saidOf({ node, result }, place, players, range) {
	const { names, chance } = place.told ?? {};
	const last = chance
		? `Chance: ${names?.[0]}`
		: place.before && names
			? names
					.map((name, player) => (name ? `${players[player]}: ${name}` : ""))
					.filter(Boolean)
					.join(", ")
			: "The start";
	if (node !== "over") return last;
	const winner = winnerOf(result, range);
	return `${last}. ${winner === null ? "Drawn." : `${hasWon(players[winner])}.`}`;
}
