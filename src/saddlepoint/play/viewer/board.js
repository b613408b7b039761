// Draws a picture (Game.picture as JSON) as one SVG, and turns clicks, drags, taps and keys on it into moves.
// A cell is 40 units wide. What has not changed since the picture before is left alone.

import { svg, html, setText, still } from "./dom.js";
import { drawFields } from "./fields.js";
import { CELL, drawHead, drawMark, fillPiece, ownerClass, square, title } from "./shapes.js";
import { describe, withNames } from "./words.js";

export { unpack } from "./data.js";
export { describe } from "./words.js";
export { drawNumbers } from "./numbers.js";

const HALF = CELL / 2;
const DURATION = 170; // ms
const LAYERS = [
	"ground",
	"below",
	"areas",
	"walls",
	"trails",
	"pieces",
	"plate",
	"over",
	"heads",
	"hints",
	"arrows",
	"targets",
];

let boards = 0;

/**
 * @typedef {{ animate?: boolean, before?: Picture | null, arrows?: Arrow[], overlays?: Overlay[], lastNames?: Names | null }} HowToDraw
 * @typedef {SVGGElement & { sp?: Cell }} PieceElement
 */

export class Board {
	/** @type {Picture} */ picture; // nothing before the first draw()
	/** @type {number | null} */ frame = null;
	/** @type {((t: number) => void)[]} */ steps = [];

	/**
	 * Most boards are only looked at; where moves are made, Targets and onMove say how.
	 * @param {HTMLElement} host
	 * @param {{ Targets?: typeof import("./targets.js").Targets, onMove?: ((move: Move) => void) | null, flipped?: boolean, names?: string[] | null }} [how]
	 */
	constructor(host, { Targets, onMove, flipped = false, names = null } = {}) {
		this.host = host;
		this.flipped = flipped;
		this.names = names ?? ["player 0", "player 1"];
		this.extras = /** @type {HowToDraw} */ ({});
		this.number = boards++;
		this.known = /** @type {Map<string, string>} */ (new Map()); // what each layer was drawn from, as a string
		this.pieces = /** @type {Map<string, PieceElement>} */ (new Map()); // by their keys
		this.trails = /** @type {SVGElement[][]} */ ([]);
		this.svg = svg("svg", { class: "sp-board", role: "img", preserveAspectRatio: "xMidYMid meet" });
		this.defs = svg("defs", {}, this.svg);
		this.layers = /** @type {Record<string, SVGGElement>} */ (
			Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: `sp-${name}` }, this.svg)]))
		);
		this.text = html("pre", { class: "sp-text" });
		this.targets = Targets && onMove ? new Targets(this, onMove) : null;
		host.classList.add("sp-host");
		this.fields = html("table", { class: "sp-fields", "aria-label": "Position" });
		host.append(this.svg, this.text, this.fields);
	}

	// -- what is shown ----------------------------------------------------------------------------------------------

	/**
	 * @param {Picture} picture
	 * @param {HowToDraw} [how]
	 */
	draw(picture, { animate = true, before = this.picture, arrows = [], overlays = [], lastNames = null } = {}) {
		this.finish();
		const moving = animate && before && sameShape(before, picture) && !still() ? before : null;
		this.picture = picture;
		this.extras = { arrows, overlays, lastNames };
		const pictured = Boolean(picture.width);
		this.svg.toggleAttribute("hidden", !pictured);
		const fields = pictured ? null : picture.fields;
		this.text.toggleAttribute("hidden", pictured ? !picture.said : Boolean(fields));
		this.text.classList.toggle("sp-below", pictured);
		this.fields.toggleAttribute("hidden", !fields);
		if (fields) {
			this.once("fields", [fields], () => drawFields(this.fields, fields));
			this.targets?.draw();
			return;
		}
		if (!pictured) {
			setText(this.text, picture.text ?? "");
			this.text.style.setProperty("--sp-fit", `${this.textSize()}px`);
			this.targets?.draw();
			return;
		}
		if (picture.said) setText(this.text, picture.said);
		this.steps = [];
		this.once(
			"ground",
			[
				picture.width,
				picture.height,
				picture.board,
				picture.column_names,
				picture.row_names,
				this.flipped,
				this.names,
				this.nameSize(),
			],
			() => this.drawGround(),
		);
		this.once("marks", [picture.marks, this.flipped], () => this.drawMarks());
		this.once("walls", [picture.walls, this.flipped], () => this.drawWalls());
		this.once("overlays", [overlays, this.flipped], () => this.drawOverlays(overlays));
		this.once("arrows", [arrows, this.flipped], () => this.drawArrows(arrows));
		this.drawTrails(moving);
		this.drawPieces(moving);
		this.targets?.draw();
		this.svg.setAttribute("aria-label", describe(picture, this.names, lastNames));
		if (moving && this.steps.length) this.run();
		else this.finish();
	}

	/** @param {boolean} flipped */
	flip(flipped) {
		if (flipped === this.flipped) return;
		this.flipped = flipped;
		if (this.picture) this.draw(this.picture, { ...this.extras, animate: false });
	}

	/**
	 * The moves that may be made here now, as in picture.moves; null for none.
	 * @param {Move[] | null} moves
	 */
	choosable(moves) {
		this.targets?.offer(moves ?? []);
	}

	toSVG() {
		return exported(this.svg);
	}

	destroy() {
		this.finish();
		this.targets?.close();
		this.svg.remove();
		this.text.remove();
		this.fields.remove();
	}

	// The largest letters with which the text's longest line is as wide as its place, in pixels.
	textSize() {
		const columns = Math.max(1, ...this.text.textContent.split("\n").map((line) => line.length));
		return Math.max(0, this.host.clientWidth - 36) / (columns * 0.61);
	}

	// How large names are written at the edges, in units of the drawing: about 11 pixels, whatever the board's width on
	// the screen.
	nameSize() {
		const { width, height } = this.picture;
		const room = this.host.clientWidth || width * CELL;
		const scale = Math.min(2, room / (width * CELL + 40), (window.innerHeight || 1000) / (height * CELL));
		return Math.max(6, Math.min(20, Math.round(11 / scale)));
	}

	// -- where things are -------------------------------------------------------------------------------------------

	/**
	 * The middle of a cell.
	 * @param {Cell} cell
	 * @returns {[x: number, y: number]}
	 */
	at([x, y]) {
		const { width, height, board } = this.picture;
		if (this.flipped && board !== "frame") {
			if (board !== "table") x = width - 1 - x;
			y = height - 1 - y;
		}
		return [x * CELL + HALF, y * CELL + HALF];
	}

	/**
	 * The cell under a point of the screen, or null.
	 * @param {number} clientX
	 * @param {number} clientY
	 * @returns {Cell | null}
	 */
	cellAt(clientX, clientY) {
		const matrix = this.svg.getScreenCTM();
		if (!matrix) return null;
		const point = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
		const { width, height, board } = this.picture;
		let [x, y] = [Math.floor(point.x / CELL), Math.floor(point.y / CELL)];
		if (x < 0 || y < 0 || x >= width || y >= height) return null;
		if (this.flipped && board !== "frame") {
			if (board !== "table") x = width - 1 - x;
			y = height - 1 - y;
		}
		return [x, y];
	}

	// -- layers -----------------------------------------------------------------------------------------------------

	/**
	 * @param {string} layer
	 * @param {unknown} from
	 * @param {() => void} draw
	 */
	once(layer, from, draw) {
		const key = JSON.stringify(from);
		if (this.known.get(layer) === key) return;
		this.known.set(layer, key);
		draw();
	}

	drawGround() {
		const { width, height, board = "cells", column_names: columns = [], row_names: rows = [] } = this.picture;
		const [w, h] = [width * CELL, height * CELL];
		const sides = rows.map((one) => shortened(withNames(one, this.names)));
		const size = this.nameSize();
		const letters = Math.max(0, ...sides.map((one) => one.length));
		const left = letters ? Math.max(16, letters * size * 0.6) + 6 : 6;
		const below = columns.length ? size + 9 : 6;
		this.svg.style.maxWidth = `max(${w + left + 6}px * var(--sp-large, 2), 460px)`; // few cells are large
		this.svg.setAttribute("viewBox", `${-left} -6 ${w + left + 6} ${h + below + 6}`);
		this.svg.dataset.board = board;
		const { ground, plate } = this.layers;
		ground.replaceChildren();
		plate.replaceChildren();
		this.defs.replaceChildren();
		const stripes = svg(
			"pattern",
			{ id: this.id("stripes"), width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
			this.defs,
		);
		svg("rect", { width: 3, height: 8, class: "sp-stripe" }, stripes);
		if (board === "frame") {
			svg("rect", { class: "sp-hole", x: 0, y: 0, width: w, height: h, rx: 8 }, ground);
			let holes = `M-4-4h${w + 8}v${h + 8}h${-w - 8}z`;
			for (let y = 0; y < height; y++) {
				for (let x = 0; x < width; x++) {
					holes += `M${x * CELL + 3} ${y * CELL + HALF}a17 17 0 0 0 34 0a17 17 0 0 0 -34 0z`;
				}
			}
			const clip = svg("clipPath", { id: this.id("round") }, this.defs);
			svg("rect", { x: -4, y: -4, width: w + 8, height: h + 8, rx: 10 }, clip);
			svg(
				"path",
				{ class: "sp-frame", d: holes, "fill-rule": "evenodd", "clip-path": `url(#${this.id("round")})` },
				plate,
			);
		} else if (board !== "table") {
			svg("rect", { class: "sp-field", x: -2, y: -2, width: w + 4, height: h + 4, rx: 5 }, ground);
			let lines = "";
			if (board === "checkered") {
				for (let y = 0; y < height; y++)
					for (let x = (y + 1) % 2; x < width; x += 2) lines += square(x * CELL, y * CELL, CELL);
				svg("path", { class: "sp-dark", d: lines }, ground);
			} else {
				for (let x = 1; x < width; x++) lines += `M${x * CELL} 0v${h}`;
				for (let y = 1; y < height; y++) lines += `M0 ${y * CELL}h${w}`;
				svg("path", { class: "sp-grid", d: lines }, ground);
			}
			svg(
				"rect",
				{
					class: this.picture.wraps ? "sp-edge sp-wraps" : "sp-edge",
					x: -2,
					y: -2,
					width: w + 4,
					height: h + 4,
					rx: 5,
				},
				ground,
			);
		}
		columns.forEach((name, x) =>
			setText(
				svg("text", { class: "sp-name", x: this.at([x, 0])[0], y: h + 7 + size * 0.8, "font-size": size }, ground),
				name,
			),
		);
		sides.forEach((name, y) =>
			setText(
				svg(
					"text",
					{ class: "sp-name", x: -left / 2 - 1, y: this.at([0, y])[1] + size * 0.36, "font-size": size },
					ground,
				),
				name,
			),
		);
	}

	drawMarks() {
		const { below, over } = this.layers;
		below.replaceChildren();
		over.replaceChildren();
		const framed = this.picture.board === "frame";
		for (const mark of this.picture.marks ?? []) {
			const [x, y] = this.at([mark.x, mark.y]);
			const above = mark.kind === "winning" || (framed && mark.kind === "last");
			const group = svg(
				"g",
				{ class: `sp-mark sp-mark-${known(mark.kind)} ${ownerClass(mark)}`, transform: `translate(${x} ${y})` },
				above ? over : below,
			);
			drawMark(group, mark, framed, this.picture.board === "table");
			title(group, withNames(mark.title, this.names));
		}
	}

	drawWalls() {
		this.layers.walls.replaceChildren();
		const d = (this.picture.walls ?? [])
			.map((cell) => this.at(cell))
			.map(([x, y]) => square(x - HALF, y - HALF, CELL))
			.join("");
		if (d) svg("path", { class: "sp-wall", d }, this.layers.walls);
	}

	/** @param {Overlay[]} overlays */
	drawOverlays(overlays) {
		const { areas, hints } = this.layers;
		areas.replaceChildren();
		hints.replaceChildren();
		for (const { areas: parts = [], points = [], paths = [] } of overlays) {
			for (const [owner, cells] of parts) {
				const d = cells
					.map((cell) => this.at(cell))
					.map(([x, y]) => square(x - HALF, y - HALF, CELL))
					.join("");
				svg("path", { class: `sp-area ${ownerClass({ owner })}`, d }, areas);
				if (owner === 1)
					svg("path", { class: "sp-area-stripes sp-owner-1", d, fill: `url(#${this.id("stripes")})` }, areas);
			}
			for (const [owner, cells] of paths)
				svg("path", { class: `sp-path ${ownerClass({ owner })}`, d: line(cells.map((cell) => this.at(cell))) }, hints);
			for (const cell of points) {
				const [x, y] = this.at(cell);
				svg("path", { class: "sp-point", d: `M${x} ${y - 9}l9 9l-9 9l-9 -9z` }, hints);
			}
		}
	}

	/** @param {Arrow[]} arrows */
	drawArrows(arrows) {
		const layer = this.layers.arrows;
		layer.replaceChildren();
		for (const { player, from, to, share = 1, label = "" } of arrows) {
			const [[x0, y0], [x1, y1]] = [this.at(from), this.at(to)];
			if (this.picture.board === "table") {
				// A card keeps its number: below it, a bar as long as the share.
				const group = svg("g", { class: `sp-arrow ${ownerClass({ owner: player })}` }, layer);
				svg(
					"path",
					{ class: "sp-shaft", d: `M${x0 - 9} ${y0 + 12}h${Math.max(1, 18 * share)}`, "stroke-width": 4.5 },
					group,
				);
				title(group, `${Math.round(100 * share)} %`);
				continue;
			}
			const length = Math.hypot(x1 - x0, y1 - y0);
			const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
			const width = 3 + 7 * share;
			const tip = 7 + width;
			const [bx, by] = [x1 - ux * tip * 0.9, y1 - uy * tip * 0.9];
			const group = svg("g", { class: `sp-arrow ${ownerClass({ owner: player })}` }, layer);
			title(group, label);
			const drawn = svg("g", { opacity: 0.45 + 0.5 * share }, group); // the label is read, whatever the share
			if (!length) {
				// Nothing moves to the cell: a diamond there, above what it is worth.
				const size = 5 + 6 * share;
				const d = `M${x1} ${y1 - size}l${size} ${size}l${-size} ${size}l${-size} ${-size}z`;
				svg("path", { class: "sp-tip", d }, drawn);
				if (label) setText(svg("text", { class: "sp-share", x: x1, y: y1 + 18 }, group), label);
				continue;
			}
			svg("path", { class: "sp-shaft", d: `M${x0 + ux * 8} ${y0 + uy * 8}L${bx} ${by}`, "stroke-width": width }, drawn);
			const side = width / 2 + 4.5;
			svg(
				"path",
				{ class: "sp-tip", d: `M${x1} ${y1}L${bx - uy * side} ${by + ux * side}L${bx + uy * side} ${by - ux * side}z` },
				drawn,
			);
			if (label) setText(svg("text", { class: "sp-share", x: x1 + ux * 10, y: y1 + uy * 10 + 4 }, group), label);
		}
	}

	/** @param {Picture | null} before */
	drawTrails(before) {
		const trails = this.picture.trails ?? [];
		const { trails: layer, heads } = this.layers;
		const old = before?.trails ?? [];
		while (this.trails.length > trails.length) this.trails.pop()?.forEach((one) => one.remove());
		trails.forEach((trail, n) => {
			const cells = trail.cells;
			const points = cells.map((cell) => this.at(cell));
			const [last, former] = [points[points.length - 1], points[points.length - 2]];
			const was = old.find(
				(one) => one.owner === trail.owner && one.head !== false && sameCell(one.cells.at(-1), cells.at(-2)),
			);
			const [body, core, head] = (this.trails[n] ??= [svg("path", {}, layer), svg("path", {}, layer), drawHead(heads)]);
			const kind = ownerClass(trail);
			set(body, "class", `sp-trail ${kind}`);
			set(core, "class", `sp-core ${kind}`);
			set(head, "class", `sp-head ${kind}`);
			head.toggleAttribute("hidden", trail.head === false);
			const show = (/** @type {number} */ t) => {
				const shown = t < 1 ? [...points.slice(0, -1), between(former, last, t)] : points;
				const d = line(shown);
				set(body, "d", d);
				set(core, "d", d);
				const [x, y] = shown[shown.length - 1];
				const turn = points.length > 1 ? angle(former, last) : 0;
				head.dataset.facing = points.length > 1 ? "known" : "";
				set(head, "transform", `translate(${x} ${y}) rotate(${turn})`);
			};
			if (was && trail.head !== false && points.length > 1) this.steps.push(show);
			else show(1);
		});
	}

	/** @param {Picture | null} before */
	drawPieces(before) {
		const layer = this.layers.pieces;
		const now = new Map((this.picture.pieces ?? []).map((piece) => [pieceKey(piece), piece]));
		const gone = [...this.pieces].filter(([key]) => !now.has(key));
		const came = [...now].filter(([key]) => !this.pieces.has(key));
		for (const [key, element] of this.pieces) {
			const piece = now.get(key);
			if (piece && element.dataset.flipped !== String(this.flipped)) this.place(element, piece);
		}
		for (const [key, piece] of came) {
			const from = before && wayOf(piece, gone, came);
			/** @type {PieceElement} */
			let element;
			if (from) {
				gone.splice(gone.indexOf(from), 1);
				this.pieces.delete(from[0]);
				element = from[1];
				layer.append(element);
				const start = this.at(element.sp ?? [piece.x, piece.y]);
				fillPiece(element, { ...piece, title: withNames(piece.title, this.names) }, this.picture.board === "frame");
				this.steps.push((t) => set(element, "transform", move(between(start, this.at([piece.x, piece.y]), t))));
				this.place(element, piece);
			} else {
				element = svg("g", {}, layer);
				fillPiece(element, { ...piece, title: withNames(piece.title, this.names) }, this.picture.board === "frame");
				this.place(element, piece);
				if (before) this.steps.push(this.arrival(element, piece));
			}
			this.pieces.set(key, element);
		}
		for (const [key, element] of gone) {
			this.pieces.delete(key);
			if (before) {
				this.steps.push((t) => (t < 1 ? set(element, "opacity", 1 - t) : element.remove()));
			} else element.remove();
		}
	}

	/**
	 * @param {PieceElement} element
	 * @param {Piece} piece
	 */
	place(element, piece) {
		element.sp = [piece.x, piece.y];
		element.dataset.flipped = String(this.flipped);
		set(element, "transform", move(this.at([piece.x, piece.y])));
	}

	/**
	 * A piece falls into a frame; elsewhere it grows.
	 * @param {SVGElement} element
	 * @param {Piece} piece
	 * @returns {(t: number) => void}
	 */
	arrival(element, piece) {
		const [x, y] = this.at([piece.x, piece.y]);
		if (this.picture.board === "frame") {
			const top = -HALF;
			return (t) => set(element, "transform", move([x, top + (y - top) * t * t]));
		}
		return (t) => set(element, "transform", t < 1 ? `${move([x, y])} scale(${0.4 + 0.6 * t})` : move([x, y]));
	}

	// -- motion -----------------------------------------------------------------------------------------------------

	run() {
		const start = performance.now();
		const frame = (/** @type {number} */ time) => {
			const t = Math.min(1, Math.max(0, (time - start) / DURATION));
			const eased = t < 1 ? 1 - (1 - t) ** 3 : 1;
			for (const step of this.steps) step(eased);
			this.frame = t < 1 ? requestAnimationFrame(frame) : null;
			if (t >= 1) this.steps = [];
		};
		for (const step of this.steps) step(0);
		this.frame = requestAnimationFrame(frame);
	}

	// What moves is where it goes, at once.
	finish() {
		if (this.frame) cancelAnimationFrame(this.frame);
		this.frame = null;
		for (const step of this.steps) step(1);
		this.steps = [];
	}

	/** @param {string} name */
	id(name) {
		return `sp-${this.number}-${name}`;
	}
}

/** @type {(name: string) => string} */
const shortened = (name) => (name.length > 10 ? `${name.slice(0, 9)}…` : name);
/** @type {(kind: string) => string} */
const known = (kind) => (["target", "hazard", "food", "bonus", "last", "winning"].includes(kind) ? kind : "other");
/** @type {(a: Cell | undefined, b: Cell | undefined) => boolean} */
const sameCell = (a, b) => Boolean(a && b && a[0] === b[0] && a[1] === b[1]);
/** @type {(from: Cell, to: Cell, t: number) => Cell} */
const between = ([x0, y0], [x1, y1], t) => [x0 + (x1 - x0) * t, y0 + (y1 - y0) * t];
/** @type {(point: Cell) => string} */
const move = ([x, y]) => `translate(${x} ${y})`;
/** @type {(from: Cell, to: Cell) => number} */
const angle = ([x0, y0], [x1, y1]) => (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
/** @type {(a: Picture, b: Picture) => boolean} */
const sameShape = (a, b) => a.width === b.width && a.height === b.height && a.board === b.board;
/** @type {(piece: Piece) => string} */
const pieceKey = (piece) =>
	JSON.stringify([piece.id, piece.x, piece.y, piece.owner, piece.shape, piece.label, piece.locked, piece.title]);

/**
 * A line through the middles of cells; where two are no neighbours (over an edge), it begins anew.
 * @param {Cell[]} points
 */
function line(points) {
	let d = "";
	points.forEach(([x, y], n) => {
		const [x0, y0] = points[n - 1] ?? [NaN, NaN];
		d += Math.abs(x - x0) + Math.abs(y - y0) <= CELL + 1 ? `L${x} ${y}` : `M${x} ${y}`;
	});
	return points.length === 1 ? `${d}h0.01` : d;
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {string | number} value
 */
function set(element, name, value) {
	if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/**
 * Which of the pieces that went is the one that came: the one of its id, else the only one of its owner where only one
 * came.
 * @param {Piece} piece
 * @param {[string, PieceElement][]} gone
 * @param {[string, Piece][]} came
 */
function wayOf(piece, gone, came) {
	const at = (/** @type {string} */ key) => JSON.parse(key);
	if (piece.id) return gone.find(([key]) => at(key)[0] === piece.id) ?? null;
	const here = gone.find(([key]) => at(key)[1] === piece.x && at(key)[2] === piece.y);
	if (here) return here;
	const owner = piece.owner ?? null;
	if (owner === null) return null;
	const rest = gone.filter(([key]) => (at(key)[3] ?? null) === owner);
	const fresh = came.filter(([, one]) => (one.owner ?? null) === owner);
	return rest.length === 1 && fresh.length === 1 ? rest[0] : null;
}

const STYLES = [
	"fill",
	"fill-opacity",
	"stroke",
	"stroke-width",
	"stroke-opacity",
	"stroke-linecap",
	"stroke-linejoin",
	"stroke-dasharray",
	"opacity",
	"font-family",
	"font-size",
	"font-weight",
	"text-anchor",
	"display",
	"visibility",
];

/**
 * The drawing as a file of its own: every colour and line is written out, for it has no style sheet.
 * @param {SVGSVGElement} drawing
 */
function exported(drawing) {
	const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
	const [from, to] = [[...drawing.querySelectorAll("*")], [...copy.querySelectorAll("*")]];
	from.forEach((element, n) => {
		const style = getComputedStyle(element);
		for (const name of STYLES) {
			const value = style.getPropertyValue(name);
			if (value && !(element.localName === "g" && name === "fill")) to[n].setAttribute(name, value);
		}
		to[n].removeAttribute("class");
	});
	copy.querySelectorAll("[hidden], [display=none]").forEach((one) => one.remove());
	const box = drawing.viewBox.baseVal;
	copy.setAttribute("width", `${box.width}`);
	copy.setAttribute("height", `${box.height}`);
	copy.removeAttribute("class");
	const fill = getComputedStyle(drawing).getPropertyValue("--sp-paper").trim() || "none";
	copy.prepend(svg("rect", { x: box.x, y: box.y, width: box.width, height: box.height, fill }));
	return new XMLSerializer().serializeToString(copy);
}
