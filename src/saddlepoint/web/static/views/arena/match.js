// A match that the page plays itself: two players, a game, ten games, every start twice with the sides swapped. What is
// finished is kept in this browser.

import { button, element, field, select } from "../../dom.js";
import { COLOURS, Game, winnerOf } from "../../game.js";
import { seatField } from "../../options.js";
import { ask, entryOf, parseSeat, seatNames, seatText, strongestSeat, usualSeat } from "../../seats.js";
import { keep, kept, refToParams, waitText } from "../../state.js";
import { takeFile } from "../source.js";

const GAMES = 10;
const BY_LOT = 2; // moves of every start: without them two players that never vary would play one game ten times

/** @typedef {{ ref: GameRef, swapped: boolean, result: number, range: Bounds }} Played */
/** @typedef {{ game: string, seats: string[], games: Played[] }} KeptMatch */

export class PageMatch {
	/** @type {AbortController | null} */ running = null;
	/** @type {ReturnType<typeof seatField>[]} */ seats = [];

	/**
	 * @param {Catalogue} catalogue
	 * @param {Context} context
	 */
	constructor(catalogue, context) {
		this.catalogue = catalogue;
		this.context = context;
		this.match = /** @type {KeptMatch | null} */ (kept("match"));
		const games = catalogue.games.map(({ spec, title }) => [spec, title]);
		this.game = select(
			games,
			this.match?.game ?? entryOf(catalogue, catalogue.shown ?? "")?.spec ?? games[0]?.[0],
			() => this.choosers(),
		);
		if (this.game.selectedIndex < 0) this.game.selectedIndex = 0;
		this.players = element("div", { class: "fields" });
		this.begin = button(`Play ${GAMES} games`, () => (this.running ? this.running.abort() : this.play()), {
			class: "main",
		});
		this.bar = element("progress", { max: GAMES, value: 0, "aria-label": "Games of the match", hidden: true });
		this.said = element("p", { class: "word", role: "status" });
		this.list = element("ol", { class: "match-games" });
		this.host = element(
			"section",
			{ class: "panel stack page-match", "aria-label": "A match on this page" },
			element("h2", {}, "A match on this page"),
			element(
				"p",
				{ class: "note" },
				"Every start is played twice, with the sides swapped; its first two moves are drawn by lot.",
			),
			field("Game", this.game),
			this.players,
			element("div", { class: "row" }, this.begin, this.bar),
			this.said,
			this.list,
		);
		this.choosers();
		this.draw();
		context.signal.addEventListener("abort", () => this.running?.abort());
	}

	get entry() {
		return /** @type {CatalogueGame} */ (entryOf(this.catalogue, this.game.value));
	}

	choosers() {
		const { entry, match } = this;
		// The strongest takes seconds a move: who only presses the button sees a game soon.
		const quick = entry.levels.length > 2 ? entry.levels[entry.levels.length - 2].name : null;
		/** @type {Seat} */
		const better = quick === null ? strongestSeat(entry) : { kind: "level", level: quick };
		const former = match?.game === entry.spec ? match.seats : [better, usualSeat(entry)].map(seatText);
		this.seats = ["One", "The other"].map((label, place) => seatField(entry, label, former[place]));
		this.players.replaceChildren(...this.seats.map(({ node }) => node));
	}

	async play() {
		const run = (this.running = new AbortController());
		const { entry } = this;
		this.match = { game: entry.spec, seats: this.seats.map((one) => seatText(one.value())), games: [] };
		this.begin.textContent = "Stop";
		try {
			while (this.match.games.length < GAMES) {
				this.draw();
				this.match.games.push(await this.one(this.match, entry, run.signal));
				keep("match", this.match);
			}
		} catch (error) {
			if (error.name !== "AbortError") this.said.textContent = error.message;
			if (!["AbortError", "Refused"].includes(error.name)) throw error;
		} finally {
			this.running = null;
			this.begin.textContent = `Play ${GAMES} games`;
			if (!this.context.signal.aborted) this.draw();
		}
	}

	/**
	 * The next game, from the start of the one before where that was the first of its two.
	 * @param {KeptMatch} match
	 * @param {CatalogueGame} entry
	 * @param {AbortSignal} signal
	 * @returns {Promise<Played>}
	 */
	async one({ seats, games, game: spec }, entry, signal) {
		const swapped = games.length % 2 === 1;
		const sides = seats.map(parseSeat);
		if (swapped) sides.reverse();
		const onWait = (/** @type {Wait | null} */ wait) => {
			if (wait) this.said.textContent = waitText(wait);
		};
		const before = swapped ? games[games.length - 1].ref : null;
		const game = before
			? await Game.load({ ...before, moves: before.moves.slice(0, BY_LOT) }, { signal })
			: await Game.begin({ game: spec, seed: Math.floor(Math.random() * 1e9) }, { signal, onWait });
		while (!game.over) {
			const byLot = game.plies < BY_LOT;
			const choose = async (/** @type {number} */ player) => {
				const moves = game.movesOf(player);
				if (byLot) return moves[Math.floor(Math.random() * moves.length)].action;
				return (await ask(sides[player], player, game.ref, entry, { signal, onWait })).action;
			};
			await game.play(await game.nextMove(choose, signal), signal);
		}
		return { ref: game.ref, swapped, result: game.last.result ?? 0, range: game.range };
	}

	draw() {
		const { match } = this;
		this.bar.hidden = !match;
		if (!match) return;
		const entry = entryOf(this.catalogue, match.game);
		if (!entry) return;
		const names = seatNames(match.seats.map(parseSeat), entry);
		const won = match.games.map(({ result, range, swapped }) => {
			const winner = winnerOf(result, range);
			return winner === null ? null : swapped ? 1 - winner : winner;
		});
		const score = (/** @type {number} */ player) =>
			won.reduce((sum, one) => (sum ?? 0) + (one === player ? 1 : one === null ? 0.5 : 0), 0);
		this.bar.value = won.length;
		this.said.textContent = `${won.length} of ${GAMES} games: ${names[0]} ${score(0)}, ${names[1]} ${score(1)}${this.running ? "" : won.length < GAMES ? ", stopped" : ""}`;
		this.list.replaceChildren(...match.games.map((one) => this.row(one, names)));
	}

	/**
	 * @param {Played} played
	 * @param {string[]} names
	 */
	row({ ref, swapped, result, range }, names) {
		const sides = swapped ? [...names].reverse() : names;
		const winner = winnerOf(result, range);
		const params = refToParams({ ...ref, since: Math.min(BY_LOT, ref.moves.length) });
		sides.forEach((name, player) => params.set(`p${player}`, name));
		params.set("review", "1");
		return element(
			"li",
			{},
			...sides.map((name, player) => element("span", { class: `player p${player}` }, name)),
			element("span", {}, winner === null ? "drawn" : `${COLOURS[winner]} won`),
			button("Replay", () => this.replay(ref, sides), { class: "quiet" }),
			winner === null ? null : element("a", { href: `#/analysis?${params}` }, "The move that lost it"),
		);
	}

	/**
	 * @param {GameRef} ref
	 * @param {string[]} players
	 */
	async replay(ref, players) {
		const { context } = this;
		const body = { ...ref, players, since: Math.min(BY_LOT, ref.moves.length) };
		const line = await context.api.post("/api/line", body, { kind: "text", signal: context.signal });
		context.go("replay", { dropped: await takeFile(new Blob([line]), context) });
	}
}
