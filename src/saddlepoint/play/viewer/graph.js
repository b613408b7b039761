// The value of a game's positions for player 0, as a line: above the middle player 0 is ahead.

import { html, setText, svg } from "./dom.js";

const [WIDTH, HEIGHT, EDGE] = [640, 96, 6];

/** @typedef {ReturnType<typeof build>} Graph */

/**
 * `values`: a number or null for each position. Turning points are positions; `range` is what a game can be worth.
 * @param {HTMLElement & { spKey?: string, spGraph?: Graph }} host
 * @param {(number | null)[]} values
 * @param {{ at?: number, onPick?: ((at: number) => void) | null, turningPoints?: number[], range?: Bounds | null, names?: string[] }} [how]
 */
export function drawGraph(
	host,
	values,
	{ at = 0, onPick = null, turningPoints = turns(values), range = null, names = ["player 0", "player 1"] } = {},
) {
	const key = JSON.stringify([values, turningPoints, range, names]);
	if (!host.spGraph || host.spKey !== key) {
		host.spKey = key;
		host.classList.add("sp-graph");
		host.replaceChildren();
		host.spGraph = build(host, values, turningPoints, range, names);
	}
	const { x, y, cursor, dot, drawing } = host.spGraph;
	drawing.onclick = onPick && ((event) => onPick(nearest(drawing, values.length, event)));
	const here = values[at];
	cursor.setAttribute("x1", `${x(at)}`);
	cursor.setAttribute("x2", `${x(at)}`);
	dot.toggleAttribute("hidden", here === null || here === undefined);
	if (here !== null && here !== undefined) {
		dot.setAttribute("cx", `${x(at)}`);
		dot.setAttribute("cy", `${y(here)}`);
	}
}

/**
 * Where the value changes by more than a fifth of what a game can be worth.
 * @param {(number | null)[]} values
 * @param {Bounds | null} [range]
 */
export function turns(values, range = null) {
	const most = range ? range[1] - range[0] : 2 * Math.max(1, ...values.filter((one) => one !== null).map(Math.abs));
	/** @type {number[]} */
	const found = [];
	values.forEach((value, n) => {
		const before = values[n - 1];
		if (n && value !== null && before !== null && before !== undefined && Math.abs(value - before) > most / 5)
			found.push(n);
	});
	return found;
}

/**
 * @param {HTMLElement} host
 * @param {(number | null)[]} values
 * @param {number[]} turningPoints
 * @param {Bounds | null} range
 * @param {string[]} names
 */
function build(host, values, turningPoints, range, names) {
	const most = range
		? Math.max(Math.abs(range[0]), Math.abs(range[1]))
		: Math.max(1e-9, ...values.filter((one) => one !== null).map(Math.abs));
	const x = (/** @type {number} */ n) => EDGE + ((WIDTH - 2 * EDGE) * n) / Math.max(1, values.length - 1);
	const y = (/** @type {number | null} */ value) =>
		HEIGHT / 2 - (Math.max(-1, Math.min(1, (value ?? 0) / most)) * (HEIGHT - 2 * EDGE)) / 2;
	const drawing = svg(
		"svg",
		{ viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": told(values, names) },
		host,
	);
	const middle = HEIGHT / 2;
	for (const part of runs(values)) {
		const top = part.map((n) => `L${x(n)} ${y(values[n])}`).join("");
		const area = `M${x(part[0])} ${middle}${top}L${x(part[part.length - 1])} ${middle}z`;
		for (const owner of [0, 1]) {
			const clip = svg(
				"svg",
				{
					x: 0,
					y: owner ? middle : 0,
					width: WIDTH,
					height: middle,
					viewBox: `0 ${owner ? middle : 0} ${WIDTH} ${middle}`,
					preserveAspectRatio: "none",
				},
				drawing,
			);
			svg("path", { class: `sp-side sp-owner-${owner}`, d: area }, clip);
		}
		svg("path", { class: "sp-line", d: `M${top.slice(1)}` }, drawing);
	}
	svg("path", { class: "sp-zero", d: `M0 ${middle}H${WIDTH}` }, drawing);
	for (const n of turningPoints)
		svg("path", { class: "sp-turn", d: `M${x(n)} ${y(values[n]) - 5}l5 5l-5 5l-5 -5z` }, drawing);
	const cursor = svg("line", { class: "sp-cursor", y1: 0, y2: HEIGHT }, drawing);
	const dot = svg("circle", { class: "sp-here", r: 4 }, drawing);
	const legend = html("div", { class: "sp-legend", "aria-hidden": "true" }, host);
	setText(html("span", { class: "sp-owner-0" }, legend), `above the line: ${names[0]} ahead`);
	setText(html("span", { class: "sp-owner-1" }, legend), `below it: ${names[1]} ahead`);
	return { x, y, cursor, dot, drawing };
}

/** @param {(number | null)[]} values */
function runs(values) {
	/** @type {number[][]} */
	const parts = [];
	values.forEach((value, n) => {
		if (value === null || value === undefined) return;
		const last = parts.at(-1);
		if (last?.at(-1) === n - 1) last.push(n);
		else parts.push([n]);
	});
	return parts;
}

/**
 * @param {SVGElement} drawing
 * @param {number} count
 * @param {MouseEvent} event
 */
function nearest(drawing, count, event) {
	const box = drawing.getBoundingClientRect();
	const share = (((event.clientX - box.left) / box.width) * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
	return Math.max(0, Math.min(count - 1, Math.round(share * (count - 1))));
}

/**
 * @param {(number | null)[]} values
 * @param {string[]} names
 */
function told(values, names) {
	const known = values.filter((one) => one !== null && one !== undefined);
	return known.length
		? `Value for ${names[0]}, from ${known[0].toPrecision(2)} to ${known[known.length - 1].toPrecision(2)}`
		: "No values";
}
