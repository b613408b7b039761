// Tournaments, ratings and cross tables of a ledger. The server draws the tables as it does for `saddlepoint report`.

import { element } from "../../dom.js";
import { move, seen } from "./moving.js";

const RATINGS = "section[id$='-ratings'] table";

/** @typedef {{ node: HTMLElement, heading: HTMLElement, body: HTMLElement }} Part of a game */

export class Standings {
	/** @param {AbortSignal} signal */
	constructor(signal) {
		this.signal = signal;
		this.parts = /** @type {Part[]} */ ([]);
		this.tournaments = element("div", { class: "tournaments" });
		this.drawn = element("div", { class: "stack drawn" });
		this.host = element("div", { class: "stack" }, this.tournaments, this.drawn);
		this.before = "";
	}

	/**
	 * Shows the figures; tables that did not change stay, with what is scrolled and focused in them.
	 * @param {LedgerSummary} summary
	 */
	show({ tournaments, games }) {
		this.tournaments.replaceChildren(...tournaments.map(progress));
		games.forEach((game, place) => {
			const text = game.drawn.join("");
			const { node, heading, body } = this.parts[place] ?? this.part();
			heading.textContent = game.heading;
			if (body.dataset.text === text) return;
			const scrolled = node.querySelector(".scroll")?.scrollLeft ?? 0;
			const held = node.contains(document.activeElement);
			const before = seen(node.querySelector(RATINGS));
			// The server made this markup from figures and escaped texts; the page's policy lets no script or style in it
			// run.
			body.innerHTML = text;
			body.dataset.text = text;
			const table = /** @type {HTMLElement | null} */ (node.querySelector(".scroll"));
			if (table) table.scrollLeft = scrolled;
			if (held) table?.focus({ preventScroll: true });
			move(node.querySelector(RATINGS), before, this.signal);
		});
		for (const { node } of this.parts.splice(games.length)) node.remove();
	}

	/** Puts in a place for one more game. */
	part() {
		const heading = element("h2", {}),
			body = element("div", { class: "stack" });
		const part = { node: element("article", {}, heading, body), heading, body };
		this.drawn.append(part.node);
		this.parts.push(part);
		return part;
	}

	/**
	 * One line for who reads along.
	 * @param {LedgerSummary} summary
	 */
	told({ tournaments, games }) {
		const sum = games.reduce((before, one) => before + one.games, 0);
		const running = tournaments.filter((one) => !one.finished).length;
		return `${played(sum)}${running ? `, ${running} tournament${running === 1 ? "" : "s"} under way` : ""}`;
	}
}

/** @type {(games: number) => string} */
const played = (games) => `${games} game${games === 1 ? "" : "s"}`;

/** @param {Tournament} tournament */
function progress({ id, kind, title, games, planned, finished }) {
	const state = finished ? "finished" : "under way";
	return element(
		"div",
		{ class: "panel tournament", "data-state": finished ? "over" : "live" },
		element("div", {}, element("b", {}, `${kind} ${id}`), element("span", { class: "note" }, ` ${title}, ${state}`)),
		element(
			"div",
			{ class: "row" },
			planned ? element("progress", { max: planned, value: games, "aria-label": `Games of ${kind} ${id}` }) : null,
			element("span", {}, planned ? `${games} of ${planned}` : played(games)),
		),
	);
}
