// The numbers of a review: how well each player chose, and what the result was made of.

import { element } from "../../dom.js";

/** @type {(keyof Sizes)[]} */
const SIZES = ["small", "medium", "large"];

/**
 * Sections for the page; a player of whom no move was judged has no number.
 * @param {Pick<ReviewResult, "numbers" | "balance">} found
 * @param {string[]} names
 */
export function figures({ numbers, balance }, names) {
	/** @type {HTMLElement[]} */
	const found = [];
	const { sizes } = numbers;
	found.push(element("h2", {}, "How well each player chose"));
	if (numbers.rows.length) {
		found.push(
			table(numbers.rows, names),
			element(
				"p",
				{ class: "note" },
				`Accuracy: the share kept of what the judged moves could have given away; 100 % is no loss, 0 % the worst move every time. Where little was at stake, a small loss is a large share. ${SIZES.map((name) => `A ${name} mistake gives away ${sizes[name].toFixed(2)} or more`).join(". ")}.`,
			),
		);
	}
	if (numbers.says.length) found.push(element("p", {}, numbers.says.join(" ")));
	if (!balance) return found;
	found.push(
		element("h2", {}, "What the result was made of"),
		element("p", { class: "balance-says" }, balance.says.join(" ")),
		table(balance.rows, names),
	);
	if (!balance.exact)
		found.push(element("p", { class: "note" }, "These numbers are estimates: they are as good as the searches."));
	return found;
}

/**
 * @param {string[][]} rows
 * @param {string[]} names
 */
function table(rows, names) {
	return element(
		"table",
		{ class: "figures" },
		element(
			"thead",
			{},
			element(
				"tr",
				{},
				element("td", {}),
				...names.map((name, player) => element("th", { scope: "col", class: `owner${player}` }, ...breakable(name))),
			),
		),
		element(
			"tbody",
			{},
			...rows.map(([label, ...values]) =>
				element(
					"tr",
					{},
					element("th", { scope: "row" }, label),
					...values.map((value) => element("td", {}, value.replace(/^-/, "\u2212"))),
				),
			),
		),
	);
}

/**
 * A name that may break before what is in brackets, and after a comma there, but not within a word.
 * @param {string} name
 */
function breakable(name) {
	return name.split(/(?<=[(,])/).flatMap((part, at) => (at ? [element("wbr"), part] : [part]));
}
