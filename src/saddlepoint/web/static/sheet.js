// A sheet over the page, for what is read and put away again.

import { button, element } from "./dom.js";

/**
 * Shows it until it is closed; the same one is not shown twice.
 * @param {string} title
 * @param {...Child} children
 */
export function showSheet(title, ...children) {
	if (document.querySelector("dialog.sheet")) return;
	const sheet = element(
		"dialog",
		{ class: "sheet panel stack", "aria-label": title, onclose: () => sheet.remove() },
		element("h2", {}, title),
		...children,
		element(
			"div",
			{ class: "row" },
			button("Close", () => sheet.close(), { class: "main" }),
		),
	);
	document.body.append(sheet);
	sheet.showModal();
}
