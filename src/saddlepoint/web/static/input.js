// Arrow keys and swipes as directions.

import { isIn } from "./dom.js";

/** @typedef {"up" | "right" | "down" | "left"} Way */

/** @type {Record<string, Way>} */
const KEYS = { ArrowUp: "up", ArrowRight: "right", ArrowDown: "down", ArrowLeft: "left" };

/**
 * Calls onArrow("up"|"right"|"down"|"left") for arrow keys anywhere and swipes over `host`; it says whether it used it.
 * @param {HTMLElement} host
 * @param {AbortSignal} signal
 * @param {(arrow: Way) => boolean} onArrow
 */
export function directions(host, signal, onArrow) {
	addEventListener(
		"keydown",
		(event) => {
			const arrow = KEYS[event.key];
			if (
				!arrow ||
				event.altKey ||
				event.ctrlKey ||
				event.metaKey ||
				isIn(event, "input, select, textarea, [role=menu]")
			)
				return;
			if (onArrow(arrow)) {
				event.preventDefault();
				event.stopPropagation();
			}
		},
		{ capture: true, signal },
	);
	/** @type {[number, number] | null} */
	let from = null;
	host.addEventListener(
		"touchstart",
		(event) => {
			from = event.touches.length === 1 ? [event.touches[0].clientX, event.touches[0].clientY] : null;
		},
		{ passive: true, signal },
	);
	host.addEventListener(
		"touchend",
		(event) => {
			if (!from) return;
			const across = event.changedTouches[0].clientX - from[0];
			const down = event.changedTouches[0].clientY - from[1];
			from = null;
			if (Math.max(Math.abs(across), Math.abs(down)) < 24) return;
			const arrow = Math.abs(across) > Math.abs(down) ? (across > 0 ? "right" : "left") : down > 0 ? "down" : "up";
			if (onArrow(arrow) && event.cancelable) event.preventDefault(); // no click follows
		},
		{ signal },
	);
}
