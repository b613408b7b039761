// The fields of a position of which nothing else is known: a name, and beside it a value or a small grid of them.

import { html, setText } from "./dom.js";

/**
 * @param {HTMLTableElement} table
 * @param {[string, string[][]][]} fields
 */
export function drawFields(table, fields) {
	table.replaceChildren();
	const body = html("tbody", {}, table);
	const all = new Set(fields.map(([name]) => name));
	for (const [name, rows] of fields) {
		const row = html("tr", {}, body);
		const heading = html("th", { scope: "row" }, row);
		const [, stem, player] = /^(.+?)_?([01])$/.exec(name) ?? [];
		const isOwned =
			stem &&
			[`${stem}0`, `${stem}_0`].some((one) => all.has(one)) &&
			[`${stem}1`, `${stem}_1`].some((one) => all.has(one));
		setText(heading, (isOwned ? `${stem}, ${["Blue", "Orange"][Number(player)]}` : name).replaceAll("_", " "));
		if (isOwned) heading.className = `sp-owner${player}`;
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
