// The games of a ledger: chosen by player and by who lost, each with its replay and the move that lost it.

import { withNames } from "../../../viewer/words.js";
import { element, field, select } from "../../dom.js";
import { tool } from "../../parts.js";

const EVERYBODY = "";
/** @type {Record<string, string>} */
const ENDS = { "": "In any way", won_by: "It won", lost_by: "It lost", drawn: "Drawn", fault: "By a fault" };
/** @type {Record<string, string>} */
const ORDERS = {
	latest: "The latest first",
	first: "The oldest first",
	longest: "The longest first",
	shortest: "The shortest first",
};

export class GameList {
	/** @type {string[] | null} */ players;

	/**
	 * @param {string} ledger
	 * @param {URLSearchParams} params
	 * @param {Context} context
	 */
	constructor(ledger, params, context) {
		this.ledger = ledger;
		this.context = context;
		this.player = params.get("player") ?? EVERYBODY;
		const end = this.player && params.get("lost") === "1" ? "lost_by" : (params.get("end") ?? "");
		this.end = end in ENDS ? end : "";
		this.order = (params.get("order") ?? "") in ORDERS ? (params.get("order") ?? "") : "latest";
		this.offset = 0;
		this.players = null;
		this.filters = element("div", { class: "row ends" });
		this.body = element("tbody", { role: "rowgroup" });
		this.more = element("div", { class: "row" });
		this.host = element(
			"section",
			{ class: "panel stack", "aria-label": "Games" },
			element("h2", {}, "Games"),
			this.filters,
			element(
				"div",
				{ class: "scroll", tabindex: 0, role: "region", "aria-label": "List of games" },
				// On a phone a row is a block; the roles keep it a row of a table for screen readers.
				element(
					"table",
					{ class: "game-list", role: "table" },
					element(
						"thead",
						{ role: "rowgroup" },
						element(
							"tr",
							{ role: "row" },
							...["Game", "Players", "Points", "Turns", "How it ended", "See"].map((head) =>
								element("th", { scope: "col", role: "columnheader" }, head),
							),
						),
					),
					this.body,
				),
			),
			this.more,
		);
	}

	/**
	 * Takes the players of a summary, and asks for the games shown.
	 * @param {LedgerSummary} summary
	 */
	async refresh(summary) {
		const players = playersOf(summary);
		if (JSON.stringify(players) !== JSON.stringify(this.players)) {
			this.players = players;
			this.choosers(players);
		}
		await this.load();
	}

	/** @param {string[]} players */
	choosers(players) {
		const chosen = select([[EVERYBODY, "Everybody"], ...players.map((name) => [name, name])], this.player, (name) => {
			this.player = name;
			this.filtered(players);
		});
		const ends = select(
			Object.entries(ENDS).filter(([kind]) => this.player || !kind.endsWith("_by")),
			this.end,
			(kind) => {
				this.end = kind;
				this.filtered(players);
			},
		);
		const order = select(Object.entries(ORDERS), this.order, (kind) => {
			this.order = kind;
			this.filtered(players);
		});
		this.filters.replaceChildren(field("Player", chosen), field("How it ended", ends), field("Order", order));
	}

	/** @param {string[]} players */
	filtered(players) {
		this.offset = 0;
		if (!this.player && this.end.endsWith("_by")) this.end = "";
		this.choosers(players);
		/** @type {Record<string, string>} */
		const params = { l: this.ledger };
		if (this.player) params.player = this.player;
		if (this.end === "lost_by") params.lost = "1";
		else if (this.end) params.end = this.end;
		if (this.order !== "latest") params.order = this.order;
		this.context.remember(params);
		this.load();
	}

	async load() {
		const asked = new URLSearchParams({ offset: `${this.offset}`, order: this.order });
		if (this.end.endsWith("_by")) asked.set(this.end, this.player);
		else if (this.player) asked.set("player", this.player);
		if (this.end === "drawn" || this.end === "fault") asked.set(this.end, "1");
		const wanted = asked.toString();
		this.wanted = wanted;
		let told;
		try {
			told = await this.context.api.get(`/api/ledgers/${encodeURIComponent(this.ledger)}/games?${wanted}`, {
				signal: this.context.signal,
			});
		} catch (error) {
			if (error.name !== "AbortError")
				this.more.replaceChildren(element("p", { class: "word", role: "alert" }, error.message));
			return;
		}
		if (this.wanted !== wanted) return;
		const focused = document.activeElement?.getAttribute("data-key");
		this.body.replaceChildren(...told.games.map((one) => this.row(one)));
		if (focused) [...this.body.querySelectorAll("a")].find((one) => one.dataset.key === focused)?.focus();
		this.pages(told);
	}

	/** @param {LedgerGame} game */
	row({ id, players, points, reason, turns }) {
		/** @type {(view: string, params: Record<string, string>, text: string, key: string) => HTMLElement} */
		const link = (view, params, text, key) =>
			element(
				"a",
				{
					href: `#/${view}?${new URLSearchParams({ l: this.ledger, n: `${id}`, ...params })}`,
					"data-key": `${key}${id}`,
				},
				text,
			);
		const won = points === 0.5 ? "½–½" : points > 0.5 ? "1–0" : "0–1";
		/** @type {(kind: string, ...children: Child[]) => HTMLElement} */
		const cell = (kind, ...children) => element("td", { role: "cell", class: kind }, ...children);
		return element(
			"tr",
			{ "data-game": id, role: "row" },
			element("th", { scope: "row", role: "rowheader" }, link("replay", {}, `${id}`, "r")),
			cell(
				"players",
				element("span", { class: "player p0" }, players[0]),
				" ",
				element("span", { class: "player p1" }, players[1]),
			),
			cell("points", won),
			cell("turns", turns === null ? "" : `${turns}`),
			cell("reason", withNames(reason, players)),
			cell("see", points === 0.5 ? null : link("analysis", { review: "1" }, "The move that lost it", "a")),
		);
	}

	/**
	 * To any place of the list.
	 * @param {number} total
	 */
	jump(total) {
		const size = this.size ?? 1;
		const starts = Array.from({ length: Math.ceil(total / size) }, (_, page) => page * size);
		return select(
			starts.map((start) => [start, `from ${start + 1}`]),
			this.offset,
			(start) => {
				this.offset = Number(start);
				this.load();
			},
			{ "aria-label": "Where in the list" },
		);
	}

	/** @param {LedgerGames} told */
	pages({ total, games }) {
		const last = this.offset + games.length;
		/** @type {(by: number, name: "prev" | "next", label: string, can: boolean) => HTMLElement} */
		const turn = (by, name, label, can) => {
			const made = tool(
				name,
				label,
				() => {
					this.offset = Math.max(0, this.offset + by);
					this.load();
				},
				{ small: true },
			);
			made.disabled = !can;
			return made;
		};
		this.size = Math.max(this.size ?? 0, games.length);
		const jump = total > this.size ? [this.jump(total)] : [];
		const none = this.player || this.end ? "No such games" : "No games yet";
		this.more.replaceChildren(
			turn(-this.size, "prev", "Games before", this.offset > 0),
			turn(this.size, "next", "Further games", last < total),
			element("span", { class: "note" }, total ? `${this.offset + 1}–${last} of ${total}` : none),
			...jump,
		);
	}
}

/** @type {(summary: LedgerSummary) => string[]} */
const playersOf = ({ tournaments }) => [...new Set(tournaments.flatMap((one) => one.players))].sort();
