// What lies on a cell, drawn around (0, 0). A cell is 40 units wide.

import { svg, setText } from "./dom.js";

export const CELL = 40;
const HALF = CELL / 2;

/** @type {(x: number, y: number, side: number) => string} */
export const square = (x, y, side) => `M${x} ${y}h${side}v${side}h${-side}z`;

/** @param {{ owner?: Owner }} one */
export function ownerClass({ owner }) {
	return owner === 0 || owner === 1 ? `sp-owner-${owner}` : "sp-owner-none";
}

/**
 * A piece around (0, 0): its body, for player 1 a line inside it, its label, and a lock.
 * @param {SVGElement} group
 * @param {Piece} piece
 * @param {boolean} [framed]
 */
export function fillPiece(group, piece, framed = false) {
	group.replaceChildren();
	const { shape = "disc", label = "", locked = false } = piece;
	group.setAttribute("class", `sp-piece sp-shape-${shape} ${ownerClass(piece)}${locked ? " sp-locked" : ""}`);
	const [body, inner, edge] = (framed && FRAMED[shape]) || SHAPES[shape] || SHAPES.disc;
	if (shape === "cross") svg("circle", { class: "sp-halo", r: 14 }, group);
	if (body) svg("path", { class: "sp-body", d: body }, group);
	if (inner && piece.owner === 1) svg("path", { class: "sp-inner", d: label ? edge : inner }, group);
	if (label) setText(svg("text", { class: label.length > 1 ? "sp-label sp-long" : "sp-label", y: 5.5 }, group), label);
	if (locked) {
		const lock = svg("g", { class: "sp-lock", transform: "translate(13.5 13.5)" }, group);
		svg("circle", { r: 6 }, lock);
		svg("path", { d: "M-2.7 -.4h5.4v3.6h-5.4zM-1.7 -.4v-1.4a1.7 1.7 0 0 1 3.4 0v1.4" }, lock);
	}
	title(group, piece.title);
}

/** @type {(r: number) => string} */
const circle = (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
/** @type {(w: number, h: number, r: number) => string} */
const rounded = (w, h, r) =>
	`M${-w + r} ${-h}h${2 * (w - r)}a${r} ${r} 0 0 1 ${r} ${r}v${2 * (h - r)}a${r} ${r} 0 0 1 ${-r} ${r}h${-2 * (w - r)}a${r} ${r} 0 0 1 ${-r} ${-r}v${-2 * (h - r)}a${r} ${r} 0 0 1 ${r} ${-r}z`;
/** @type {(r: number) => string} */
const diamond = (r) => `M0 ${-r}L${r} 0L0 ${r}L${-r} 0z`;
/** @type {Record<string, string[]>} */
const SHAPES = {
	disc: [circle(15), circle(10), circle(12.7)],
	square: [rounded(14, 14, 3.5), rounded(9.5, 9.5, 2), rounded(11.8, 11.8, 2.2)],
	diamond: [diamond(18.5), diamond(13), diamond(15.7)],
	ring: [circle(13), ""],
	cross: ["M-6 -6L6 6M6 -6L-6 6", ""],
	card: [rounded(14.5, 18, 4), rounded(12, 15.5, 2.5), rounded(12, 15.5, 2.5)],
	none: ["", ""],
};
// They fit through a round hole.
/** @type {Record<string, string[]>} */
const FRAMED = {
	square: [rounded(12, 12, 3), rounded(8, 8, 1.8), rounded(10, 10, 2)],
	diamond: [diamond(16), diamond(11), diamond(13.5)],
};

/** @param {SVGElement} layer */
export function drawHead(layer) {
	const head = svg("g", {}, layer);
	svg("path", { class: "sp-body", d: circle(15) }, head);
	svg("path", { class: "sp-eye", d: circle(9) }, head);
	svg("path", { class: "sp-nose", d: "M-3 -5.500L7 0L-3 5.500z" }, head);
	return head;
}

/**
 * @param {SVGElement} group
 * @param {Mark} mark
 * @param {boolean} framed
 * @param {boolean} onTable
 */
export function drawMark(group, mark, framed, onTable) {
	const { kind, label = "" } = mark;
	if (kind === "last" && onTable) svg("path", { class: "sp-played", d: rounded(14.5, 18, 4) }, group);
	else if (kind === "last" && framed) svg("path", { class: "sp-ring", d: circle(18) }, group);
	else if (kind === "last") svg("path", { class: "sp-tint", d: square(-HALF + 1, -HALF + 1, CELL - 2) }, group);
	else if (kind === "winning" && framed) svg("path", { class: "sp-ring", d: circle(18) }, group);
	else if (kind === "winning") svg("path", { class: "sp-ring", d: rounded(18, 18, 5) }, group);
	else if (kind === "target" && onTable) svg("path", { class: "sp-glow", d: rounded(17, 20.5, 6) }, group);
	else if (kind === "target") svg("path", { class: "sp-ring", d: circle(16) }, group);
	else if (kind === "hazard")
		svg("path", { class: "sp-hatch", d: "M-16 -6L-6 -16M-16 6L6 -16M-16 16L16 -16M-6 16L16 -6M6 16L16 6" }, group);
	else if (kind === "food") svg("path", { class: "sp-food", d: circle(8) }, group);
	else if (kind === "bonus") svg("path", { class: "sp-badge", d: rounded(12, 12, 12) }, group);
	if (label) setText(svg("text", { class: label.length > 1 ? "sp-label sp-long" : "sp-label", y: 5 }, group), label);
}

/**
 * @param {SVGElement} element
 * @param {string | undefined} text
 */
export function title(element, text) {
	if (text) setText(svg("title", {}, element), text);
}
