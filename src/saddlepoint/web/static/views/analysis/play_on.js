// "Play on from here": a side, an opponent, and the game begins at the position shown.

import { element, field, select } from "../../dom.js";
import { levelWords, parseSeat, strongestSeat, usualLevel, usualSeat, words } from "../../seats.js";

const WATCH = "watch";

/**
 * `names` of the players; `onPlay(view, seats)` leaves for "play" or "watch". Nothing where the page does not have the
 * game.
 * @param {CatalogueGame | null} entry
 * @param {string[]} names
 * @param {(view: "play" | "watch", seats: Seat[]) => void} onPlay
 */
export function playOnForm(entry, names, onPlay) {
	if (!entry) return null;
	const strengths = entry.levels.map(({ name }) => [`level:${name}`, levelWords(name)]);
	const others = entry.levels.length ? [] : [["usual", words(entry.players[0]?.name ?? "random")]];
	const side = select(
		[
			["0", colour(names, 0)],
			["1", colour(names, 1)],
			[WATCH, "Nobody: watch it play"],
		],
		"0",
	);
	const level = select(
		[...strengths, ...others, ["you", "A person here"]],
		entry.levels.length ? `level:${usualLevel(entry)}` : "usual",
	);
	/** @type {(text: string) => Seat} */
	const seatOf = (text) =>
		text === "usual" ? usualSeat(entry) : text === "you" ? { kind: "you" } : { kind: "level", level: text.slice(6) };
	const play = () => {
		const seat = seatOf(level.value);
		if (side.value === WATCH) {
			const both = seat.kind === "you" ? usualSeat(entry) : seat;
			onPlay("watch", [both, both]);
			return;
		}
		const person = Number(side.value);
		onPlay("play", person ? [seat, { kind: "you" }] : [{ kind: "you" }, seat]);
	};
	return element(
		"details",
		{ class: "panel play-on" },
		element("summary", {}, "Play on from here"),
		element(
			"form",
			{
				class: "row ends",
				onsubmit: (/** @type {Event} */ event) => {
					event.preventDefault();
					play();
				},
			},
			field("You play", side),
			field("Against", level),
			element("button", { class: "main" }, "Play"),
		),
	);
}

/** @type {(names: string[], player: number) => string} */
const colour = (names, player) => {
	const own = ["Blue", "Orange"][player];
	return names[player] === own ? own : `${own} (${names[player]})`;
};

/**
 * [view, seats] from a moment of a review: by the person again who lost with `result`, in the seats of the address, or
 * by the strongest on both sides.
 * @param {CatalogueGame} entry
 * @param {URLSearchParams} params
 * @param {"again" | "best"} who
 * @param {number} result
 * @returns {[view: "play" | "watch", seats: Seat[]]}
 */
export function goOn(entry, params, who, result) {
	const strongest = strongestSeat(entry);
	if (who === "best") return ["watch", [strongest, strongest]];
	const seats = ["s0", "s1"].map((name) => (params.get(name) ? parseSeat(params.get(name)) : null));
	if (!seats.some((seat) => seat?.kind === "you")) {
		const person = result > 0 ? 1 : 0;
		seats[person] = { kind: "you" };
		seats[1 - person] = usualSeat(entry);
	}
	return ["play", seats.map((seat) => seat ?? usualSeat(entry))];
}
