// What a search found, in a sentence: who stands how, and what each player should do.

import { inSentence } from "../../game.js";
import { leaning, share, signed } from "../numbers.js";

const EVEN = 0.2; // of the way from the middle to a win, as in a review
const BETTER = 0.5;
const WINNING = 0.9;
const PROVEN = 1e-6; // values are compared up to so much rounding
const LEAST = 0.02; // a move that is played more seldom is not named
const MOST = 4; // so many moves are named

/**
 * `reading`: what is told, with `table` where a depth of it is finished; `names` of the players; `range` of the
 * results.
 * @param {{ reading: Reading | null, table: AlternativesMessage | null, names: string[], range: Bounds }} about
 */
export function sentence({ reading, table, names, range }) {
	if (!reading) return "";
	const told = [standing(reading, names, range)];
	for (const player of [0, 1]) {
		const own = "strategies" in reading ? (reading.strategies[player] ?? []) : [];
		const moves = table ? mixtureOf(table, player) : own.map(([, name, part]) => ({ name, part }));
		const named = moves.filter(({ part }) => part >= LEAST).sort((one, other) => other.part - one.part);
		if (named.length) told.push(advice(names[player], named));
	}
	return told.join(" ");
}

/**
 * @param {Reading} reading
 * @param {string[]} names
 * @param {Bounds} range
 */
function standing({ value, exact, bound, without_chance: withoutChance }, names, range) {
	const lean = leaning(value, range);
	const who = names[lean > 0 ? 0 : 1];
	const you = who === "You";
	if (exact && !bound && !withoutChance) {
		if (Math.abs(lean) > 1 - PROVEN) return `${who} ${you ? "win" : "wins"} by force.`;
		return Math.abs(lean) < PROVEN
			? "Even with best play."
			: `With best play it is worth ${signed(value)} to ${inSentence(names[0])}.`;
	}
	if (Math.abs(lean) <= EVEN) return "About even.";
	if (Math.abs(lean) > WINNING) return `${who} ${you ? "are" : "is"} winning, as far as this search sees.`;
	return `${who} ${you ? "stand" : "stands"} ${Math.abs(lean) <= BETTER ? "a little" : "clearly"} better.`;
}

/** @typedef {{ name: string, part: number }} Part how often a move is played */

/**
 * @param {AlternativesMessage} table
 * @param {number} player
 * @returns {Part[]}
 */
function mixtureOf(table, player) {
	if (table.rows)
		return [table.rows, table.columns][player].map(([, name], place) => ({
			name,
			part: table.mixtures?.[player]?.[place] ?? 0,
		}));
	const name = table.player === player ? table.line?.[0]?.[player] : null;
	return name ? [{ name, part: 1 }] : [];
}

/**
 * @param {string} name
 * @param {Part[]} moves
 */
function advice(name, moves) {
	if (moves.length === 1) return `${name} should play ${moves[0].name}.`;
	const shown = moves.slice(0, MOST).map((one) => `${one.name} (${share(one.part)})`);
	const last = moves.length > MOST ? "others" : shown.pop();
	return `${name} should mix ${shown.join(", ")} and ${last}.`;
}
