// Mixtures as arrows on the board: from what a player moves to where it goes, as wide as it is probable.

import { signed } from "../numbers.js";

const LEAST = 0.01; // a share below it is not drawn
const SURE = 0.995; // a share above it needs no label
const SHOWN = 3; // of a list of moves, the best

/**
 * From where to where a move's arrow goes: from what is moved, from the player's head, from above for what falls; what
 * is put on a cell marks it.
 * @param {Move} move
 * @param {Cell} to
 * @param {Picture} picture
 * @returns {[from: Cell, to: Cell]}
 */
function way(move, to, picture) {
	if (move.start) return [move.start, to];
	const head = (picture.trails ?? []).find((one) => one.owner === move.player && one.head !== false)?.cells.at(-1);
	if (head) return [head, to];
	return [picture.board === "frame" ? [to[0], -1] : to, to];
}

/**
 * The arrow of a move, for Board.draw; null for one that has no cell.
 * @param {Picture} picture
 * @param {number} player
 * @param {number} action
 * @param {number} share
 * @returns {Arrow | null}
 */
export function arrowOf(picture, player, action, share, label = percent(share)) {
	const move = (picture.moves ?? []).find((one) => one.player === player && one.action === action);
	if (!move?.to) return null;
	const [from, to] = way(move, move.to, picture);
	const crowded = picture.board === "table"; // there labels would lie on cards; the matrix tells the shares
	return { player, from, to, share, label: crowded ? "" : label };
}

/**
 * The arrows of both mixtures of a stage matrix, or of the best moves of a list.
 * @param {AlternativesMessage | null} table
 * @param {Picture} picture
 * @returns {Arrow[]}
 */
export function arrowsOf(table, picture) {
	if (!table) return [];
	if (table.rows) {
		return [table.rows, table.columns].flatMap((actions, player) =>
			actions.flatMap(([action], place) => {
				const share = table.mixtures?.[player]?.[place] ?? 0;
				return share < LEAST ? [] : (arrowOf(picture, player, action, share) ?? []);
			}),
		);
	}
	if (table.player < 0) return [];
	const sign = table.player === 0 ? 1 : -1;
	const known = table.moves
		.flatMap(([action, , value]) => (value === null ? [] : { action, value }))
		.sort((a, b) => sign * (b.value - a.value))
		.slice(0, SHOWN);
	return known.flatMap(
		({ action, value }, place) => arrowOf(picture, table.player, action, 1 / (1 + place), signed(value)) ?? [],
	);
}

/**
 * The arrows of one joint move.
 * @param {number[]} joint
 * @param {Picture} picture
 */
export function arrowsTo(joint, picture) {
	return joint.flatMap((action, player) => (action < 0 ? [] : (arrowOf(picture, player, action, 1) ?? [])));
}

/** @type {(share: number) => string} */
const percent = (share) => (share > SURE ? "" : `${Math.round(100 * share)} %`);
