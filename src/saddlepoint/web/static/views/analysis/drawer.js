// What is seldom wanted: the link and the text of the position, saving to a file, other positions.

import { button, download, element } from "../../dom.js";
import { withVariations } from "../source.js";

/**
 * `text`: the field that shows the position; `line()`: a promise of the game as the line of a replay file;
 * `variations()`: its tree as text.
 * @param {{ text: HTMLTextAreaElement, line: () => Promise<string>, variations: () => string }} of
 */
export function positionDrawer({ text, line, variations }) {
	const copied = element("span", { class: "note", role: "status" });
	/** @type {(what: string, content: () => string) => HTMLElement} */
	const copy = (what, content) =>
		button(what, async () => {
			try {
				await navigator.clipboard.writeText(content());
				copied.textContent = "Copied.";
			} catch {
				copied.textContent = "This browser does not let the page copy.";
			}
		});
	const save = button("Save as a file", async () => {
		try {
			download("analysis.jsonl", withVariations(await line(), variations()), "application/jsonl");
			copied.textContent = "Saved. Open it here, or as a replay.";
		} catch (error) {
			if (error.name !== "AbortError") copied.textContent = error.message;
		}
	});
	return element(
		"details",
		{ class: "panel" },
		element("summary", {}, "Save: link, file, text"),
		element(
			"div",
			{ class: "stack" },
			text,
			element(
				"div",
				{ class: "row" },
				copy("Copy the link", () => location.href),
				copy("Copy the text", () => text.value),
				save,
				copied,
			),
		),
	);
}
