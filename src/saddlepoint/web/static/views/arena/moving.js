// Rows of a table that change their order move to their places, and the bars of their intervals become longer or
// shorter.

import { reducedMotion } from "../../state.js";

const LASTS = 500; // milliseconds
const ENDS = ["x1", "x2", "cx"];

/**
 * What rows look like before they are drawn anew, by the player's name.
 * @param {Element | null} table
 */
export function seen(table) {
	return new Map(
		rowsOf(table).map((row) => [nameOf(row), { top: row.getBoundingClientRect().top, ends: shapes(row) }]),
	);
}

/**
 * Moves the rows that were drawn anew from where they were.
 * @param {Element | null} table
 * @param {ReturnType<typeof seen>} before
 * @param {AbortSignal} signal
 */
export function move(table, before, signal) {
	if (reducedMotion() || document.hidden) return;
	/** @type {{ node: Element, name: string, from: number, to: number }[]} */
	const drawn = [];
	for (const row of rowsOf(table)) {
		const was = before.get(nameOf(row));
		if (!was) continue;
		const by = was.top - row.getBoundingClientRect().top;
		if (by)
			row.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], {
				duration: LASTS,
				easing: "ease-out",
			});
		const now = shapes(row);
		if (now.length !== was.ends.length) continue;
		now.forEach((shape, at) => {
			if (shape.to !== was.ends[at].to) drawn.push({ ...shape, from: was.ends[at].to });
		});
	}
	if (!drawn.length) return;
	const began = performance.now();
	const frame = (/** @type {number} */ now) => {
		const part = Math.min(1, Math.max(0, (now - began) / LASTS));
		for (const { node, name, from, to } of drawn)
			node.setAttribute(name, `${from + (to - from) * (1 - (1 - part) ** 3)}%`);
		if (part < 1 && !signal.aborted) requestAnimationFrame(frame);
	};
	frame(began);
}

/** @type {(table: Element | null) => Element[]} */
const rowsOf = (table) => [...(table?.querySelectorAll("tbody tr") ?? [])];
/** @type {(row: Element) => string | null | undefined} */
const nameOf = (row) => row.querySelector(".name")?.textContent;

/**
 * The ends of the bars and the dot of a row, in per cent of its width.
 * @param {Element} row
 */
function shapes(row) {
	return [...row.querySelectorAll("svg .bar, svg .dot")].flatMap((node) =>
		ENDS.filter((name) => node.hasAttribute(name)).map((name) => ({
			node,
			name,
			to: parseFloat(node.getAttribute(name) ?? ""),
		})),
	);
}
