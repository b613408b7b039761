// The legal moves on a board: where to click, drag to or press Enter, and the choice between several that share a cell.
// A move may have a start (what is moved), a stop on the way (via), and the cell where it is made (to).

import { html, setText, svg } from "./dom.js";
import { CELL, fillPiece, ownerClass } from "./shapes.js";

/** @type {Stage[]} */
const STAGES = ["start", "via", "to"];
/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] };
/** @type {(cell: Cell) => string} */
const key = (cell) => `${cell[0]},${cell[1]}`;
/** @type {(text: string) => Cell} */
const cellOf = (text) => {
	const [x, y] = text.split(",").map(Number);
	return [x, y];
};
/** @type {(move: Move, stage: Stage) => string | null | undefined} */
const named = (move, stage) => move[stage] && key(move[stage]);

/**
 * @typedef {"start" | "via" | "to"} Stage
 * @typedef {{ cell: Cell, x: number, y: number, ghost: SVGGElement | null }} Drag
 */

export class Targets {
	/** @type {HTMLElement | null} */ menu = null;
	/** @type {((event: Event) => void) | null} */ outside = null;
	/** @type {string | undefined} */ offered;
	/** @type {string | undefined} */ pressed;
	/** @type {Partial<Record<Stage, string>>} */ picked;
	/** @type {Map<string, SVGGElement>} */ elements;
	/** @type {Drag | null} */ drag;
	/** @type {Move[]} */ moves;

	/**
	 * @param {import("./board.js").Board} board
	 * @param {(move: Move) => void} onMove
	 */
	constructor(board, onMove) {
		this.board = board;
		this.onMove = onMove;
		this.moves = [];
		this.picked = {};
		this.elements = new Map();
		this.drag = null;
		this.drawn = "";
		const { svg: drawing } = board;
		drawing.addEventListener("pointerdown", (event) => this.press(event));
		drawing.addEventListener("pointermove", (event) => this.pull(event));
		drawing.addEventListener("pointerup", (event) => this.release(event));
		drawing.addEventListener("pointercancel", () => this.drop());
		drawing.addEventListener("keydown", (event) => this.onKey(event));
	}

	/** @param {Move[]} moves */
	offer(moves) {
		const same = JSON.stringify(moves);
		if (same === this.offered) return;
		this.offered = same;
		this.moves = moves.filter((one) => one.to);
		this.reset();
	}

	reset() {
		this.picked = {};
		this.close();
		this.draw();
	}

	// The moves that fit what was picked so far.
	fitting() {
		return this.moves.filter((one) =>
			STAGES.every((stage) => !this.picked[stage] || named(one, stage) === this.picked[stage]),
		);
	}

	// The cells that can be picked next: [cell, moves, stage].
	next() {
		/** @type {Map<string, [Cell, Move[], Stage]>} */
		const groups = new Map();
		for (const move of this.fitting()) {
			const stage = STAGES.find((one) => move[one] && !this.picked[one]);
			const cell = stage && move[stage];
			if (!cell) continue;
			const name = `${stage} ${key(cell)}`;
			const group = groups.get(name);
			if (group) group[1].push(move);
			else groups.set(name, [cell, [move], stage]);
		}
		return [...groups.values()];
	}

	draw() {
		const { board } = this;
		const { picture } = board;
		const layer = board.layers.targets;
		const groups = picture?.width ? this.next() : [];
		const state = JSON.stringify([this.offered, this.picked, board.flipped, picture?.board, groups.length]);
		if (state === this.drawn) return;
		const focused = layer.contains(document.activeElement) ? document.activeElement?.getAttribute("data-cell") : null;
		this.drawn = state;
		layer.replaceChildren();
		this.elements.clear();
		board.svg.setAttribute("role", groups.length ? "group" : "img");
		board.svg.toggleAttribute("data-choosing", groups.length > 0);
		if (this.picked.start && groups.length) this.drawPicked(layer);
		for (const [cell, moves, stage] of groups) this.drawTarget(layer, cell, moves, stage);
		const first = this.elements.values().next().value;
		first?.setAttribute("tabindex", "0");
		if (focused) (this.elements.get(focused) ?? first)?.focus({ preventScroll: true });
	}

	/** @param {SVGElement} layer */
	drawPicked(layer) {
		for (const picked of [this.picked.start, this.picked.via]) {
			if (!picked) continue;
			const [x, y] = this.board.at(cellOf(picked));
			svg("rect", { class: "sp-picked", x: x - 18, y: y - 18, width: 36, height: 36, rx: 6 }, layer);
		}
	}

	/**
	 * @param {SVGElement} layer
	 * @param {Cell} cell
	 * @param {Move[]} moves
	 * @param {Stage} stage
	 */
	drawTarget(layer, cell, moves, stage) {
		const { board } = this;
		const { picture } = board;
		const [x, y] = board.at(cell);
		const names = moves.map((one) => one.name).join(", ");
		// A number alone says nothing of where it is, but for columns and cards, which are called so.
		const isPlain = /^\d+$/.test(names) && !["frame", "table"].includes(picture.board ?? "");
		const label =
			stage === "to"
				? isPlain
					? `${names}, ${cellName(picture, cell)}`
					: names
				: `${stage === "start" ? "move" : "to"} ${cellName(picture, cell)}: ${moves.length} moves`;
		const blocked = stage === "to" && isBlocked(picture, cell);
		const group = svg(
			"g",
			{
				class: `sp-target sp-stage-${stage} ${ownerClass({ owner: moves[0].player })}${blocked ? " sp-blocked" : ""}`,
				role: "button",
				tabindex: "-1",
				"aria-label": label,
				"data-cell": key(cell),
			},
			layer,
		);
		const column = picture.board === "frame";
		svg(
			"rect",
			{
				class: "sp-hit",
				x: x - CELL / 2,
				y: column ? 0 : y - CELL / 2,
				width: CELL,
				height: column ? picture.height * CELL : CELL,
			},
			group,
		);
		if (stage === "start")
			svg("rect", { class: "sp-hold", x: x - 17.5, y: y - 17.5, width: 35, height: 35, rx: 6 }, group);
		else if (holds(picture, cell)) svg("circle", { class: "sp-hold", cx: x, cy: y, r: 18 }, group);
		else if (picture.board === "table")
			svg("rect", { class: "sp-hold", x: x - 17, y: y - 19.5, width: 34, height: 39, rx: 5 }, group);
		else svg("circle", { class: "sp-dot", cx: x, cy: y, r: 6 }, group);
		if (stage === "to" && moves.length === 1 && moves[0].piece) {
			const ghost = svg("g", { transform: `translate(${x} ${y})` }, group);
			fillPiece(ghost, moves[0].piece, column);
			ghost.classList.add("sp-ghost");
		}
		this.elements.set(key(cell), group);
	}

	/**
	 * Take the cell as the next part of a move; whether something came of it.
	 * @param {Cell} cell
	 */
	pick(cell) {
		const found = this.next().filter(([one]) => key(one) === key(cell));
		if (!found.length) return false;
		const [, moves, stage] = found.find(([, , one]) => one !== "start") ?? found[0];
		if (stage !== "to") {
			this.picked = { ...this.picked, [stage]: key(cell) };
			this.close();
			this.draw();
			return true;
		}
		if (moves.length > 1) this.choose(cell, moves);
		else this.make(moves[0]);
		return true;
	}

	/** @param {Move} move */
	make(move) {
		this.picked = {};
		this.close();
		this.draw();
		this.onMove(move);
	}

	// -- pointer ----------------------------------------------------------------------------------------------------

	/** @param {PointerEvent} event */
	target(event) {
		const cell = this.board.cellAt(event.clientX, event.clientY);
		if (!cell || this.board.picture.board !== "frame") return cell;
		const column = this.next().filter(([one]) => one[0] === cell[0]);
		return column.length === 1 ? column[0][0] : cell;
	}

	/** @param {PointerEvent} event */
	press(event) {
		if (!this.moves.length || event.button > 0) return;
		const cell = this.target(event);
		if (!cell) return;
		const starts = this.next().find(([one, , stage]) => key(one) === key(cell) && stage === "start");
		if (starts) {
			event.preventDefault();
			this.board.svg.setPointerCapture(event.pointerId);
			this.drag = { cell, x: event.clientX, y: event.clientY, ghost: null };
		}
		this.pressed = key(cell);
	}

	/** @param {PointerEvent} event */
	pull(event) {
		const { drag } = this;
		if (!drag) return;
		if (!drag.ghost) {
			if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return;
			this.pick(drag.cell);
			const piece = (this.board.picture.pieces ?? []).find((one) => one.x === drag.cell[0] && one.y === drag.cell[1]);
			drag.ghost = svg("g", {}, this.board.layers.arrows);
			if (piece) fillPiece(drag.ghost, piece);
			drag.ghost.classList.add("sp-dragged");
		}
		const matrix = this.board.svg.getScreenCTM()?.inverse();
		const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
		drag.ghost.setAttribute("transform", `translate(${point.x} ${point.y})`);
	}

	/** @param {PointerEvent} event */
	release(event) {
		if (!this.moves.length) return;
		const cell = this.target(event);
		const dragged = Boolean(this.drag?.ghost);
		this.drop();
		if (dragged) {
			if (!cell || !this.pick(cell)) this.reset();
		} else if (cell && key(cell) === this.pressed && !this.pick(cell) && (this.picked.start || this.menu)) {
			this.reset();
			this.pick(cell);
		}
	}

	drop() {
		this.drag?.ghost?.remove();
		this.drag = null;
	}

	// -- keys -------------------------------------------------------------------------------------------------------

	/** @param {KeyboardEvent} event */
	onKey(event) {
		const at = event.target instanceof Element ? event.target.closest(".sp-target")?.getAttribute("data-cell") : null;
		if (event.key === "Escape" && (this.picked.start || this.menu)) {
			this.reset();
			event.stopPropagation();
		} else if (at && (event.key === "Enter" || event.key === " ")) {
			this.pick(cellOf(at));
			event.preventDefault();
			event.stopPropagation();
		} else if (at && event.key.startsWith("Arrow") && this.elements.size > 1) {
			if (this.moves.some((one) => one.arrow)) return; // arrow keys make moves there
			this.step(at, event.key);
			event.preventDefault();
			event.stopPropagation();
		}
	}

	/**
	 * The nearest target in that direction.
	 * @param {string} from
	 * @param {string} arrow
	 */
	step(from, arrow) {
		const [dx, dy] = WAYS[arrow];
		const [x0, y0] = this.board.at(cellOf(from));
		/** @type {SVGGElement | null} */
		let best = null;
		let least = Infinity;
		for (const [name, element] of this.elements) {
			const [x, y] = this.board.at(cellOf(name));
			const ahead = (x - x0) * dx + (y - y0) * dy;
			const aside = Math.abs((x - x0) * dy) + Math.abs((y - y0) * dx);
			if (ahead > 0 && ahead + 2 * aside < least) [best, least] = [element, ahead + 2 * aside];
		}
		if (!best) return;
		for (const element of this.elements.values()) element.setAttribute("tabindex", element === best ? "0" : "-1");
		best.focus({ preventScroll: true });
	}

	// -- several moves in one cell ------------------------------------------------------------------------------------

	/**
	 * @param {Cell} cell
	 * @param {Move[]} moves
	 */
	choose(cell, moves) {
		this.close();
		const { board } = this;
		const menu = html("div", { class: "sp-chooser", role: "menu", "aria-label": "Which move?" }, board.host);
		for (const move of moves) {
			const button = html("button", { type: "button", role: "menuitem" }, menu);
			if (move.piece) {
				const drawing = svg(
					"svg",
					{ viewBox: "-20 -20 40 40", class: "sp-board sp-small", "aria-hidden": "true" },
					button,
				);
				fillPiece(svg("g", {}, drawing), move.piece);
			}
			setText(html("span", {}, button), move.piece?.title ? `${move.name} · ${move.piece.title}` : move.name);
			button.addEventListener("click", () => this.make(move));
		}
		menu.addEventListener("keydown", (event) => {
			const buttons = [...menu.querySelectorAll("button")];
			const at = buttons.findIndex((one) => one === document.activeElement);
			if (event.key === "Escape") this.back(cell);
			else if (["ArrowDown", "ArrowRight"].includes(event.key)) buttons[(at + 1) % buttons.length].focus();
			else if (["ArrowUp", "ArrowLeft"].includes(event.key))
				buttons[(at + buttons.length - 1) % buttons.length].focus();
			else return;
			event.preventDefault();
			event.stopPropagation();
		});
		this.menu = menu;
		const box = (this.elements.get(key(cell))?.querySelector(".sp-hit") ?? board.svg).getBoundingClientRect();
		const [host, own] = [board.host.getBoundingClientRect(), menu.getBoundingClientRect()];
		const left = Math.min(
			Math.max(0, box.left - host.left + box.width / 2 - own.width / 2),
			Math.max(0, host.width - own.width),
		);
		menu.style.left = `${left}px`;
		const [, y] = board.at(cell);
		const scale = board.svg.getScreenCTM()?.d ?? 1;
		const top = board.svg.getBoundingClientRect().top - host.top + (y + 6) * scale;
		menu.style.top = `${top + (CELL / 2) * scale + 4}px`;
		menu.querySelector("button")?.focus({ preventScroll: true });
		this.outside = (event) => {
			const at = event.target instanceof Node ? event.target : null;
			if (!menu.contains(at) && !board.svg.contains(at)) this.close();
		};
		document.addEventListener("pointerdown", this.outside);
	}

	/** @param {Cell} cell */
	back(cell) {
		this.close();
		this.elements.get(key(cell))?.focus({ preventScroll: true });
	}

	close() {
		this.menu?.remove();
		this.menu = null;
		if (this.outside) document.removeEventListener("pointerdown", this.outside);
		this.outside = null;
	}
}

// Whether something lies there whose label a dot would cover; on a table its card has a border of its own.
/** @type {(picture: Picture, cell: Cell) => boolean} */
function holds(picture, [x, y]) {
	return picture.board !== "table" && (picture.pieces ?? []).some((one) => one.x === x && one.y === y && one.label);
}

/** @type {(picture: Picture, cell: Cell) => boolean} */
function isBlocked(picture, cell) {
	const here = (/** @type {Cell} */ one) => one[0] === cell[0] && one[1] === cell[1];
	return (picture.walls ?? []).some(here) || (picture.trails ?? []).some((trail) => trail.cells.some(here));
}

/** @type {(picture: Picture, cell: Cell) => string} */
function cellName(picture, [x, y]) {
	const { column_names: columns = [], row_names: rows = [] } = picture;
	return columns[x] && rows[y] ? `${columns[x]}${rows[y]}` : `column ${x + 1}, row ${y + 1}`;
}
