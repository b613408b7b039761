// The keys of a view. They work wherever the focus is, unless what has it needs the same key; `?` lists them.

import { element, isIn } from "./dom.js";
import { showSheet } from "./sheet.js";

/** @typedef {{ keys: string[], shown: string, says: string, act?: (event: KeyboardEvent) => unknown }} Shortcut `act` is false where the key means nothing here */

const WRITTEN = "textarea, select, input:not([type=checkbox], [type=radio], [type=range], [type=file])";
const WALKED = "[role=grid], [role=slider], [role=menu], [type=radio], svg"; // the keyboard goes through these by arrows
const PRESSED = "button, a, summary, label, input"; // the space bar presses these

/** @type {Shortcut[]} */
const EVERYWHERE = [
	{ keys: [], shown: "Tab, Shift+Tab", says: "To the next button, or the one before" },
	{ keys: [], shown: "Enter, Space", says: "Press it" },
	{ keys: [], shown: "?", says: "This list" },
];
let own = /** @type {Shortcut[]} */ ([]);
let byPointer = false; // what has the focus was clicked, and not reached by keyboard

addEventListener("pointerdown", () => (byPointer = true), { capture: true });
addEventListener(
	"keydown",
	({ key }) => {
		if (key === "Tab") byPointer = false;
	},
	{ capture: true },
);
addEventListener("change", ({ target }) => {
	if (byPointer && target instanceof HTMLSelectElement) target.blur(); // the arrow keys are the view's again
});

/**
 * The keys of the view that `signal` ends with; one without `act` is only listed.
 * @param {AbortSignal} signal
 * @param {Shortcut[]} shortcuts
 */
export function shortcuts(signal, shortcuts) {
	own = shortcuts;
	signal.addEventListener("abort", () => {
		if (own === shortcuts) own = [];
	});
	document.addEventListener(
		"keydown",
		(event) => {
			if (event.ctrlKey || event.altKey || event.metaKey || isIn(event, `${WRITTEN}, dialog`)) return;
			if (event.key === "Escape" ? isIn(event, "svg, [role=menu]") : !byPointer && isIn(event, WALKED)) return;
			if (event.key === " " && isIn(event, PRESSED)) return;
			const act = shortcuts.find(({ keys }) => keys.includes(event.key))?.act;
			if (!act || act(event) === false) return;
			event.preventDefault();
			event.stopPropagation();
		},
		{ capture: true, signal },
	);
}

/**
 * The usual keys through the positions of a game.
 * @param {(step: Exclude<Step, number>, event: KeyboardEvent) => unknown} onStep
 * @returns {Shortcut[]}
 */
export const stepping = (onStep) => [
	{ keys: ["ArrowLeft", "PageUp"], shown: "←", says: "One move back", act: (event) => onStep("prev", event) },
	{ keys: ["ArrowRight", "PageDown"], shown: "→", says: "One move on", act: (event) => onStep("next", event) },
	{ keys: ["Home"], shown: "Home", says: "To the start", act: (event) => onStep("first", event) },
	{ keys: ["End"], shown: "End", says: "To the end", act: (event) => onStep("last", event) },
];

/** Lists the keys that work here. */
export function showKeys() {
	const rows = [...own, ...EVERYWHERE].map(({ shown, says }) =>
		element("div", {}, element("dt", {}, element("kbd", {}, shown)), element("dd", {}, says)),
	);
	showSheet("Keys", element("dl", {}, ...rows));
}
