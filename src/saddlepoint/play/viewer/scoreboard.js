// What is played, by whom, and how it stands: above the board of a replay, of a game that is watched, of one in an
// arena.

import { html, setText } from "./dom.js";

export class Scoreboard {
	/**
	 * players: in words and as they are written in specs; event, limits: words, or nothing.
	 * @param {HTMLElement} host
	 * @param {{ title: string, players: { name: string, spec: string }[], event?: string, limits?: string, numbers?: boolean }} about
	 */
	constructor(host, { title, players, event = "", limits = "", numbers = false }) {
		this.players = players;
		this.numbered = numbers;
		this.node = html("section", { class: "sp-score", "aria-label": "Scoreboard" }, host);
		const top = html("p", { class: "sp-score-top" }, this.node);
		setText(html("b", {}, top), title);
		if (event) setText(html("span", {}, top), event);
		if (limits) setText(html("span", {}, top), limits);
		this.round = html("span", { class: "sp-score-round" }, top);
		const line = html("div", { class: "sp-score-line" }, this.node);
		const places = [html("div", {}, line), html("p", { class: "sp-score-middle" }, line), html("div", {}, line)];
		this.figure = html("strong", {}, places[1]);
		this.label = html("span", {}, places[1]);
		this.sides = players.map(({ name, spec }, player) => {
			const side = places[2 * player];
			side.className = `sp-score-side sp-owner-${player}`;
			const called = html("p", {}, side);
			setText(html("span", { class: "sp-player" }, called), name);
			if (spec && spec.toLowerCase() !== name.toLowerCase())
				setText(html("span", { class: "sp-spec" }, called), ` (${spec})`);
			return { node: side, own: html("p", { class: "sp-score-own" }, side) };
		});
	}

	/**
	 * numbers: of the picture; result: player 0's, or null while it goes on; middle: the result of a draw; round: words;
	 * acting: the players who are asked now; used: the seconds that each has used.
	 * @param {{ numbers?: Figure[], result?: number | null, middle?: number, round?: string, acting?: number[], used?: number[] | null }} now
	 */
	draw({ numbers = [], result = null, middle = 0, round = "", acting = [], used = null }) {
		setText(this.round, round);
		const both = points(numbers);
		const over = result !== null && result !== undefined;
		const score = over ? (result > middle ? "1 – 0" : result < middle ? "0 – 1" : "½ – ½") : "";
		setText(this.figure, score || (both ? `${both.values[0]} – ${both.values[1]}` : "–"));
		setText(
			this.label,
			over
				? result === middle
					? "draw"
					: `${result > middle ? "blue" : "orange"} won`
				: both
					? both.label
					: "in play",
		);
		this.sides.forEach(({ node, own }, player) => {
			const told = this.numbered
				? numbers
						.filter((one) => one.owner === player && (over || one.label !== both?.label))
						.map((one) => `${one.label} ${round3(one.value)}`)
				: [];
			if (used?.[player]) told.push(`${seconds(used[player])} used`);
			setText(own, told.join(" · "));
			node.classList.toggle("acting", acting.includes(player));
		});
	}
}

// The first number that both players have: the score so far.
/** @param {Figure[]} numbers */
function points(numbers) {
	for (const one of numbers) {
		const other = one.owner === 0 && numbers.find(({ label, owner }) => owner === 1 && label === one.label);
		if (other) return { label: one.label, values: [round3(one.value), round3(other.value)] };
	}
	return null;
}

/** @type {(value: number) => string} */
const round3 = (value) => String(Math.round(value * 1000) / 1000);
/** @type {(value: number) => string} */
const seconds = (value) =>
	value < 10 ? `${value.toFixed(1)} s` : value < 120 ? `${Math.round(value)} s` : `${Math.round(value / 60)} min`;
