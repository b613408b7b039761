// The stage matrix as a heat map: what every pair of choices is worth to player 0, with both mixtures along its sides.
// Where it has many moves on a narrow screen, those that are played stand first.

import { element } from "../../dom.js";
import { leaning, share, signed } from "../numbers.js";

/** @type {Record<string, [number, number]>} */
const KEYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const MANY = 6; // moves of a side; of more, not all are seen at once on a narrow screen
const NARROW = "(max-width: 57.99rem)"; // as in analysis.css
const PLAYED = 0.005; // a share that is shown
const STRONGEST = 55; // per cent of the colour in a cell, so that its text stays legible

/**
 * @typedef {{ onEnter: (joint: Joint) => void, onPoint: (joint: Joint | null) => void, names?: string[], range?: Bounds }} Heed
 * @typedef {{ made: HTMLElement, bar: HTMLElement, text: HTMLElement }} Side a move at the side, with its share
 */

export class Matrix {
	/** @type {StageMessage} */ found; // what is shown
	/** @type {HTMLTableElement} */ table;
	/** @type {HTMLTableRowElement} */ head;
	/** @type {HTMLTableSectionElement} */ body;
	/** @type {HTMLTableRowElement[]} */ rows; // by the numbers of the moves
	/** @type {HTMLElement[][]} */ lines; // the cells of the table, each by the numbers of the moves
	/** @type {HTMLButtonElement[][]} */ cells;
	/** @type {Side[][]} */ sides;
	/** @type {number[][]} */ order;

	/**
	 * `onEnter(joint)` is told a pair that was chosen, `onPoint(joint | null)` one that is pointed at or in focus.
	 * @param {HTMLElement} host
	 * @param {Heed} heed
	 */
	constructor(host, { onEnter, onPoint, names = ["Player 0", "Player 1"], range = /** @type {Bounds} */ ([-1, 1]) }) {
		this.host = host;
		this.onEnter = onEnter;
		this.onPoint = onPoint;
		this.names = names;
		this.range = range;
		this.at = [0, 0];
		this.shape = "";
	}

	/**
	 * Shows {rows, columns, values, mixtures}; the same rows and columns keep their cells, and so the focus.
	 * @param {StageMessage} found
	 */
	show(found) {
		const shape = JSON.stringify([found.rows, found.columns]);
		this.found = found; // a cell in focus tells its pair as soon as it is built
		if (shape !== this.shape) this.build(found);
		this.shape = shape;
		found.rows.forEach((_, row) => found.columns.forEach((_, column) => this.fill(row, column)));
		const [rows, columns] = found.mixtures ?? [[], []];
		this.sides[0].forEach((side, row) => weigh(side, rows[row]));
		this.sides[1].forEach((side, column) => weigh(side, columns[column]));
		this.arrange(found.mixtures);
	}

	/**
	 * Puts the moves that are played first. Nothing moves under whoever points at the matrix, is in it, or has scrolled
	 * it.
	 * @param {number[][] | null} mixtures
	 */
	arrange(mixtures) {
		if (
			!mixtures ||
			!matchMedia(NARROW).matches ||
			this.table.matches(":hover, :focus-within") ||
			this.host.scrollTop ||
			this.host.scrollLeft
		)
			return;
		const order = this.order.map((places, player) => {
			const counted = [...places.keys()];
			if (places.length <= MANY) return counted;
			const isPlayed = (/** @type {number} */ place) => mixtures[player][place] >= PLAYED;
			return [...counted.filter(isPlayed), ...counted.filter((place) => !isPlayed(place))];
		});
		if (JSON.stringify(order) === JSON.stringify(this.order)) return;
		this.order = order;
		const [rows, columns] = order;
		const inOrder = (/** @type {number} */ line) => {
			const [side, ...rest] = this.lines[line];
			return [side, ...columns.map((column) => rest[column])];
		};
		this.head.append(...inOrder(0));
		for (const row of rows) this.rows[row].append(...inOrder(row + 1));
		this.body.append(...rows.map((row) => this.rows[row]));
		this.enterAt(rows[0], columns[0]);
	}

	/** @param {StageMessage} found */
	build({ rows, columns }) {
		this.at = [0, 0];
		this.sides = [[], []];
		this.cells = rows.map(() => []);
		this.order = [[...rows.keys()], [...columns.keys()]]; // of the moves, as they are shown
		const corner = element(
			"td",
			{ role: "gridcell", class: "corner" },
			element("span", { class: "owner0" }, this.names[0]),
			" ↓ ",
			element("span", { class: "owner1" }, this.names[1]),
			" →",
		);
		const body = rows.map(([, name], row) => [
			this.side(0, name),
			...columns.map((_, column) => element("td", { role: "gridcell" }, this.cell(row, column))),
		]);
		this.lines = [[corner, ...columns.map(([, name]) => this.side(1, name))], ...body];
		this.head = element("tr", { role: "row" }, ...this.lines[0]);
		this.rows = body.map((line) => element("tr", { role: "row" }, ...line));
		this.body = element("tbody", { role: "rowgroup" }, ...this.rows);
		this.table = element(
			"table",
			{ class: "matrix", role: "grid", "aria-label": "What every pair of moves is worth to " + this.names[0] },
			element("thead", { role: "rowgroup" }, this.head),
			this.body,
		);
		this.table.addEventListener("keydown", (event) => this.key(event));
		this.table.addEventListener("pointerleave", () => this.onPoint(null));
		this.table.addEventListener("focusout", () => this.onPoint(null));
		const held = this.host.contains(document.activeElement);
		this.host.replaceChildren(this.table);
		if (held) this.cells[0][0].focus(); // whoever walks in by keyboard can walk on
	}

	/**
	 * @param {number} player
	 * @param {string} name
	 */
	side(player, name) {
		const bar = element("i", { class: "weight" });
		const text = element("small", {}, "");
		const made = element(
			"th",
			{ role: player ? "columnheader" : "rowheader", scope: player ? "col" : "row", class: `axis owner${player}` },
			element("span", { class: "name" }, name),
			element("span", { class: "meter" }, bar),
			text,
		);
		this.sides[player].push({ made, bar, text });
		return made;
	}

	/**
	 * @param {number} row
	 * @param {number} column
	 */
	cell(row, column) {
		const first = row === 0 && column === 0;
		const made = element("button", {
			type: "button",
			tabindex: first ? 0 : -1,
			onclick: () => this.onEnter(this.joint(row, column)),
			onpointerenter: () => this.onPoint(this.joint(row, column)),
			onfocus: () => this.focused(row, column),
		});
		this.cells[row].push(made);
		return made;
	}

	/**
	 * @param {number} row
	 * @param {number} column
	 * @returns {Joint}
	 */
	joint(row, column) {
		return [this.found.rows[row][0], this.found.columns[column][0]];
	}

	/**
	 * @param {number} row
	 * @param {number} column
	 */
	fill(row, column) {
		const { rows, columns, values, mixtures } = this.found;
		const made = this.cells[row][column];
		const value = values?.[row]?.[column] ?? null;
		const lean = value === null ? 0 : leaning(value, this.range);
		made.textContent = value === null ? "…" : signed(value);
		made.className = value === null ? "unknown" : lean >= 0 ? "up" : "down";
		const played = (mixtures?.[0]?.[row] ?? 0) * (mixtures?.[1]?.[column] ?? 0);
		made.classList.toggle("played", played >= PLAYED);
		made.style.setProperty("--strength", `${Math.round(STRONGEST * Math.abs(lean))}%`);
		const worth = value === null ? "not known yet" : signed(value);
		made.setAttribute(
			"aria-label",
			`${this.names[0]} ${rows[row][1]} against ${this.names[1]} ${columns[column][1]}: ${worth}${played >= PLAYED ? `, played ${share(played)}` : ""}`,
		);
		made.dataset.value = `${value ?? ""}`;
	}

	/**
	 * @param {number} row
	 * @param {number} column
	 */
	focused(row, column) {
		this.enterAt(row, column);
		this.onPoint(this.joint(row, column));
	}

	/**
	 * The one cell that the Tab key leads to.
	 * @param {number} row
	 * @param {number} column
	 */
	enterAt(row, column) {
		const [before, beside] = this.at;
		this.cells[before]?.[beside]?.setAttribute("tabindex", "-1");
		this.cells[row][column].setAttribute("tabindex", "0");
		this.at = [row, column];
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		const step = KEYS[event.key];
		if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
		const [row, column] = this.order.map(
			(places, player) =>
				places[Math.max(0, Math.min(places.length - 1, places.indexOf(this.at[player]) + step[player]))],
		);
		this.cells[row][column].focus();
		event.preventDefault();
		event.stopPropagation();
	}
}

/**
 * @param {Side} side
 * @param {number | undefined} part
 */
function weigh({ made, bar, text }, part) {
	made.dataset.share = `${part ?? ""}`;
	made.classList.toggle("unused", !((part ?? 0) >= PLAYED));
	bar.style.setProperty("--share", `${100 * (part ?? 0)}%`);
	text.textContent = part === undefined || part === null ? "" : share(part);
}
