// The fields of a position of which nothing else is known: a name, and beside it a value or a small grid of them.

import { html, setText } from "./dom.js";

/**
 * @param {HTMLTableElement} table
 * @param {[string, string[][]][]} fields
 */
export function drawFields(table, fields) {
	table.replaceChildren();
	const body = html("tbody", {}, table);
	for (const [name, rows] of fields) {
		const row = html("tr", {}, body);
		setText(html("th", { scope: "row" }, row), name.replaceAll("_", " "));
		const place = html("td", {}, row);
		if (rows.length === 1 && rows[0].length === 1) {
			setText(place, rows[0][0]);
			continue;
		}
		const grid = html("table", { "aria-label": name }, html("div", { class: "sp-values" }, place));
		for (const values of rows) {
			const line = html("tr", {}, grid);
			for (const value of values) setText(html("td", values.length === 1 ? { colspan: 99 } : {}, line), value);
		}
	}
}
