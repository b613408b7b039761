// The numbers of a position: each player's, and those that are nobody's; with bars where there is a most.

import { html, setText } from "./dom.js";

/**
 * @param {HTMLElement & { spKey?: string }} host
 * @param {Figure[]} [numbers]
 * @param {string[]} [names]
 */
export function drawNumbers(host, numbers = [], names = ["player 0", "player 1"]) {
	const key = JSON.stringify([numbers, names]);
	if (host.spKey === key) return;
	host.spKey = key;
	host.classList.add("sp-numbers");
	host.replaceChildren();
	for (const owner of [0, null, 1]) {
		const own = numbers.filter((one) => (one.owner ?? null) === owner);
		if (!own.length) continue;
		const list = html(
			"dl",
			{
				class: `sp-${owner === null ? "owner-none" : `owner-${owner}`}`,
				"aria-label": owner === null ? "position" : names[owner],
			},
			host,
		);
		for (const { label, value, most } of own) {
			const row = html("div", {}, list);
			setText(html("dt", {}, row), label);
			const figure = html("dd", {}, row);
			setText(html("span", {}, figure), most ? `${round(value)} / ${round(most)}` : round(value));
			if (most)
				html("span", {}, html("span", { class: "sp-bar", "aria-hidden": "true" }, figure)).style.width =
					`${(100 * value) / most}%`;
		}
	}
}

/** @type {(value: number) => string} */
const round = (value) => String(Math.round(value * 1000) / 1000);
