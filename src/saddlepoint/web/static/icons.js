// The icons: lines in a square of 24.
import { svg } from "./dom.js";

const PATHS = {
	theme: "M12 3a9 9 0 1 0 0 18z M12 3a9 9 0 0 1 0 18",
	back: "M9 6l-6 6 6 6 M3 12h12a6 6 0 0 1 6 6",
	flip: "M7 4v16 M3 8l4-4 4 4 M17 20V4 M13 16l4 4 4-4",
	hint: "M9 18h6 M10 21h4 M12 3a6 6 0 0 0-3.5 10.9V15h7v-1.1A6 6 0 0 0 12 3z",
	flag: "M5 21V4h13l-3 4.5 3 4.5H5",
	again: "M4 12a8 8 0 1 0 2.5-5.800 M4 4v5h5",
	search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z M15.5 15.5L21 21",
	save: "M12 4v11 M7 11l5 5 5-5 M4 20h16",
	play: "M7 4l13 8-13 8z",
	pause: "M8 5v14 M16 5v14",
	step: "M5 5l10 7-10 7z M19 5v14",
	first: "M19 5l-10 7 10 7z M5 5v14",
	prev: "M15 5l-8 7 8 7",
	next: "M9 5l8 7-8 7",
	last: "M5 5l10 7-10 7z M19 5v14",
	more: "M5 12h.01 M12 12h.01 M19 12h.01",
	eye: "M2.5 12s3.5-6.5 9.5-6.5 9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12z M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
};

/**
 * An icon that says nothing by itself: the button has the label.
 * @param {keyof typeof PATHS} name
 */
export function icon(name) {
	return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}
