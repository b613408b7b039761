// The boards of games that are being played, and of those that ended while one looked at them.

import { Board, unpack } from "../../../viewer/board.js";
import { called } from "../../../viewer/replay.js";
import { Scoreboard } from "../../../viewer/scoreboard.js";
import { withNames } from "../../../viewer/words.js";
import { element } from "../../dom.js";
import { reducedMotion } from "../../state.js";

const MOST = 4;

export class LiveBoards {
	/**
	 * @param {string} ledger
	 * @param {Context} context
	 */
	constructor(ledger, context) {
		this.ledger = ledger;
		this.context = context;
		/** @type {Map<string, Card>} */
		this.cards = new Map(); // by `TOURNAMENT.NUMBER`, in the order on the page
		this.heading = element("h2", {});
		this.list = element("div", { class: "boards" });
		this.host = element(
			"section",
			{ class: "live-games", "aria-label": "Games being played", hidden: true },
			this.heading,
			this.list,
		);
	}

	/** The games of which the page wants to know whether they are finished, as an address names them. */
	get watched() {
		return [...this.cards]
			.filter(([, card]) => !card.id)
			.map(([key]) => key)
			.join(",");
	}

	/** Whether a game has gone, and it is not known yet how it ended. */
	get unsettled() {
		return [...this.cards.values()].some((card) => card.gone && !card.id);
	}

	/**
	 * Takes an answer of .../running; `within`: the milliseconds until the next one.
	 * @param {Running} told
	 * @param {number} within
	 */
	show({ games, finished, running }, within) {
		const now = new Set(games.map(keyOf));
		for (const { tournament, number, id } of finished) this.cards.get(`${tournament}.${number}`)?.over(id);
		for (const [key, card] of this.cards) {
			if (now.has(key) || card.id) continue;
			if (card.gone)
				this.drop(key); // it was stopped: nobody plays it, and it has no result
			else card.gone = true;
		}
		for (const game of [...games].reverse()) this.place(game);
		for (const game of games) this.cards.get(keyOf(game))?.follow(game, within);
		this.host.hidden = !this.cards.size;
		const under = Math.max(running, [...this.cards.values()].filter((card) => !card.id).length);
		this.heading.textContent =
			under > 1 ? `${under} games are being played` : under ? "A game is being played" : "Just finished";
	}

	/** @param {RunningGame} game */
	place(game) {
		const key = keyOf(game);
		const known = this.cards.get(key);
		if (known && !known.id) {
			known.gone = false;
			return;
		}
		if (known) return;
		const card = new Card(game, this.ledger, this.context);
		const free =
			this.cards.size < MOST
				? null
				: [...this.cards].filter(([, one]) => one.id).sort(([, one], [, other]) => one.since - other.since)[0];
		if (free) {
			free[1].node.replaceWith(card.node);
			this.drop(free[0]);
		} else if (this.cards.size < MOST) {
			this.list.prepend(card.node);
		} else {
			return;
		}
		card.begin();
		this.cards.set(key, card);
	}

	/** @param {string} key */
	drop(key) {
		const card = this.cards.get(key);
		this.cards.delete(key);
		card?.close();
		card?.node.remove();
	}

	close() {
		for (const card of this.cards.values()) card.close();
	}
}

/** @type {(game: { tournament: number, number: number }) => string} */
const keyOf = ({ tournament, number }) => `${tournament}.${number}`;

class Card {
	/** @type {Scoreboard} */ score;
	/** @type {Board} */ board;
	/** @type {string} */ word;
	/** @type {number | null} */ id;
	/** @type {ReturnType<typeof setTimeout>[]} */ timers;
	closed = false;

	/**
	 * @param {RunningGame} game
	 * @param {string} ledger
	 * @param {Context} context
	 */
	constructor(game, ledger, context) {
		this.game = game;
		this.ledger = ledger;
		this.context = context;
		this.id = null;
		this.gone = false;
		this.since = 0;
		this.shown = -1;
		this.timers = [];
		this.place = element("div", { class: "board" });
		this.foot = element("p", { class: "foot note" }, element("span", { class: "live-mark" }, "being played"));
		this.node = element("article", {
			class: "panel live-game",
			"data-key": keyOf(game),
			"data-state": "live",
			"aria-label": game.event,
		});
	}

	begin() {
		const { title, titles, players, event, limits } = this.game;
		this.score = new Scoreboard(this.node, {
			title: title || event,
			event: title ? event : "",
			limits,
			players: called(titles, players),
		});
		this.node.append(this.place, this.foot);
		this.board = new Board(this.place, { names: titles });
	}

	/**
	 * Shows what was played since: move by move until the next answer, or only the last for who wants less motion.
	 * @param {RunningGame} game
	 * @param {number} within
	 */
	follow({ positions, turn_word: word }, within) {
		if (this.id) return;
		this.word = word;
		const fresh = positions.filter(({ number }) => number > this.shown);
		if (!fresh.length) return;
		this.stop();
		const steps = this.shown < 0 || reducedMotion() ? fresh.slice(-1) : fresh;
		steps.forEach((one, at) => this.timers.push(setTimeout(() => this.draw(one), (at * within) / steps.length)));
		this.shown = fresh[fresh.length - 1].number;
	}

	/**
	 * @param {{ picture: Picture, names?: Names | null, turn: number }} position
	 * @param {number | null} [result]
	 */
	draw({ picture, names, turn }, result = null, middle = 0) {
		this.board.draw(picture, { lastNames: names });
		this.score.draw({
			numbers: picture.numbers,
			result,
			middle,
			round: `${this.word ? this.word[0].toUpperCase() + this.word.slice(1) : ""} ${turn}`,
		});
	}

	/**
	 * The game is finished: its last position, its result, and the way to its replay.
	 * @param {number} id
	 */
	async over(id) {
		if (this.id) return;
		this.id = id;
		this.since = Date.now();
		this.node.dataset.state = "over";
		this.foot.replaceChildren(
			element("a", { href: `#/replay?${new URLSearchParams({ l: this.ledger, n: `${id}` })}` }, "Open the replay"),
		);
		const data = await this.context.api
			.get(`/api/ledgers/${encodeURIComponent(this.ledger)}/games/${id}`, { signal: this.context.signal })
			.catch(() => null);
		if (!data || this.closed) return;
		this.stop();
		this.word = data.turn_word;
		const last = data.positions.length - 1;
		this.draw(
			{ ...unpack(data.positions)[last], turn: data.turns[last] },
			data.result,
			(data.range[0] + data.range[1]) / 2,
		);
		this.foot.prepend(`${withNames(data.reason, this.game.titles)}. `);
	}

	stop() {
		for (const timer of this.timers) clearTimeout(timer);
		this.timers = [];
	}

	close() {
		this.closed = true;
		this.stop();
		this.board.destroy();
	}
}
