// The best moves of who is to move, each with its value and the line that is expected after it. Where both choose,
// either player's.

import { element } from "../../dom.js";
import { keep, kept } from "../../state.js";
import { share, signed } from "../numbers.js";

export const MOST_LINES = 5;
const USUAL = 3;
/** @type {Record<string, string>} */
const BOUNDS = { upper: "at most ", lower: "at least " };

/** How many lines this browser shows. */
export const linesShown = () => Math.max(1, Math.min(MOST_LINES, Math.round(Number(kept("lines", USUAL))) || USUAL));
/** @type {(count: number) => void} */
export const keepLines = (count) => keep("lines", count);

/** @typedef {FoundLine & Partial<BestLine>} ShownLine one of the best moves, or the line of the search alone */

export class Lines {
	/** @type {{ worth: HTMLElement, part: HTMLElement }[]} */ made = [];

	/**
	 * `on` has line(joints | null) for a line pointed at, and walk(joints) for one chosen.
	 * @param {{ names: string[], range: Bounds, on: Pick<SearchHandlers, "line" | "walk"> }} about
	 */
	constructor({ names, range, on }) {
		this.names = names;
		this.range = range;
		this.on = on;
		this.shown = "";
		this.host = element("div", { class: "expects" });
		this.host.addEventListener("pointerleave", () => on.line(null));
		this.host.addEventListener("focusout", () => on.line(null));
	}

	/**
	 * `reading` has line and line_actions, and lines where each of the best moves has a value of its own; `table` the
	 * mixtures.
	 * @param {Reading} reading
	 * @param {AlternativesMessage | null} table
	 */
	show(reading, table) {
		const own = "lines" in reading ? reading.lines : [];
		/** @type {ShownLine[]} */
		const lines = own.length ? own : [{ line: reading.line ?? [], line_actions: reading.line_actions ?? [] }];
		const most = linesShown();
		const groups = [0, 1, undefined]
			.map((player) => lines.filter((one) => one.player === player).slice(0, most))
			.filter((group) => group.length);
		const text = JSON.stringify(groups.map((group) => group.map((one) => [one.player, one.line, one.line_actions])));
		if (text !== this.shown) this.build(groups);
		this.shown = text;
		groups.flat().forEach((one, place) => this.fill(this.made[place], one, table));
	}

	/**
	 * The lines' moves are made anew only where they are others: a click on one is not lost to a new value.
	 * @param {ShownLine[][]} groups
	 */
	build(groups) {
		this.made = [];
		const focused = [...this.host.querySelectorAll("button")].findIndex((one) => one === document.activeElement);
		this.host.replaceChildren(...groups.map((group) => this.group(group, groups.length > 1)));
		if (focused >= 0)
			[...this.host.querySelectorAll("button")]
				.slice(0, focused + 1)
				.at(-1)
				?.focus();
	}

	clear() {
		this.shown = "";
		this.host.replaceChildren();
	}

	/**
	 * @param {ShownLine[]} lines
	 * @param {boolean} both
	 */
	group(lines, both) {
		const { player } = lines[0];
		const name = player === undefined ? "" : this.names[player];
		const whose = both
			? `${name}: moves, their value against the other's mixture`
			: name
				? `The best moves of ${name}`
				: "The line it expects";
		return element(
			"section",
			{ class: "lines", "aria-label": whose },
			both ? element("p", { class: `note owner${player}` }, name === "You" ? "Your moves" : `Moves of ${name}`) : null,
			...lines.map((one) => this.one(one)),
		);
	}

	/** @param {ShownLine} found */
	one({ line, line_actions: joints }) {
		const [worth, part] = ["worth", "note part"].map((name) => element("span", { class: name }));
		this.made.push({ worth, part });
		return element(
			"div",
			{ class: "line-of-play" },
			worth,
			part,
			element(
				"ol",
				{ class: "pv", "aria-label": "The line it expects" },
				...joints.map((_, ply) => this.move(line[ply], joints.slice(0, ply + 1))),
			),
		);
	}

	/**
	 * What a line is worth, and how often its first move is played.
	 * @param {{ worth: HTMLElement, part: HTMLElement }} made
	 * @param {ShownLine} found
	 * @param {AlternativesMessage | null} table
	 */
	fill({ worth, part }, found, table) {
		const { value, bound } = found;
		const texts = [value === undefined ? "" : this.worth(found), this.part(found, table)];
		[worth, part].forEach((node, place) => {
			node.hidden = !texts[place];
			if (node.textContent !== texts[place]) node.textContent = texts[place];
		});
		worth.dataset.value = bound ? "" : `${value ?? ""}`;
	}

	/**
	 * A bound is told as one; one that any value keeps is none.
	 * @param {ShownLine} found
	 */
	worth({ value = null, bound }) {
		const [low, high] = this.range;
		const says = value !== null && (!bound || (bound === "upper" ? value < high : value > low));
		return says ? `${BOUNDS[bound ?? ""] ?? ""}${signed(value)}` : "–";
	}

	/**
	 * How often a move is played, where both choose.
	 * @param {ShownLine} found
	 * @param {AlternativesMessage | null} table
	 */
	part({ player, action }, table) {
		if (!table?.mixtures || player === undefined) return "";
		const place = [table.rows, table.columns][player].findIndex(([one]) => one === action);
		return share(table.mixtures[player][place] ?? 0);
	}

	/**
	 * @param {Names | undefined} names
	 * @param {Joint[]} upTo
	 */
	move(names, upTo) {
		const point = () => this.on.line(upTo);
		return element(
			"li",
			{},
			element(
				"button",
				{
					type: "button",
					"aria-label": (names ?? [])
						.flatMap((name, player) => (name ? `${this.names[player]}: ${name}` : []))
						.join(", "),
					onpointerenter: point,
					onfocus: point,
					onclick: () => this.on.walk(upTo),
				},
				...(names ?? []).flatMap((name, player) => (name ? [element("span", { class: `owner${player}` }, name)] : [])),
			),
		);
	}
}
