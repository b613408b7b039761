// The live game of the first screen: two players who draw their moves from the mixtures of a search, round by round.
//
// It moves only while it can be seen: not in a hidden tab, not scrolled away, not paused, and of itself not where no
// motion is wanted.
// After MOST games it stops. Nothing of it is told to screen readers but its heading: what is told is the page's.
import { Board } from "../../../viewer/board.js";
import { unpack } from "../../../viewer/data.js";
import { element } from "../../dom.js";
import { COLOURS, Game, verdict, whyOver } from "../../game.js";
import { icon } from "../../icons.js";
import { fit, playerLine } from "../../parts.js";
import { reducedMotion, sleep } from "../../state.js";
import { arrowsTo } from "../analysis/arrows.js";
import { Engine } from "../analysis/engine.js";
import { Matrix } from "../analysis/matrix.js";
import { leaning } from "../numbers.js";
import { stylesheet } from "../stylesheet.js";

const MOST = 3; // games, then it stops
const SEARCH = 0.25; // seconds for a position
// milliseconds: both have chosen, both choices are shown, the board has moved
const PACE = { hidden: 550, shown: 800, moved: 350 };
const QUICK = { hidden: 0, shown: 220, moved: 60 }; // where nothing is open any more
const AT_END = 4000; // milliseconds that a result is shown
const OPENING = 3; // rounds that are drawn by chance, so that no game is like the one before
const FAIR = 0.35; // how far from even what is drawn in the opening may lead
const DECIDED = 0.98;
const RECORDED = 700; // milliseconds for a position of the recorded game
const AGAIN = 2500; // milliseconds until a search that was refused is asked for again

/** @typedef {StageMessage | { error: string }} Asked what a search found, or why nothing */

export class Hero {
	/** @type {Engine | null} */ engine = null;
	/** @type {Matrix | null} */ matrix = null;
	/** @type {AbortController | null} */ recording = null; // of the recorded game, while nothing else can be shown
	begun = false; // by who pressed the button
	over = false;

	/**
	 * place: elements of the page; spec: the game that is shown; onReady is called when its players are compiled, or
	 * cannot be.
	 * @param {{ board: HTMLElement, side: HTMLElement }} place
	 * @param {string} spec
	 * @param {Context} context
	 * @param {() => void} onReady
	 */
	constructor({ board, side }, spec, context, onReady) {
		this.spec = spec;
		this.context = context;
		this.place = board;
		this.onReady = onReady;
		this.lines = COLOURS.map((name, player) => playerLine(player, name));
		this.boardHost = element("div", { class: "board" });
		this.wait = element("p", { class: "note wait" });
		board.replaceChildren(
			element("div", { class: "seat" }, this.lines[1].node),
			this.boardHost,
			element("div", { class: "seat" }, this.lines[0].node),
			this.wait,
		);
		this.board = new Board(this.boardHost, { names: COLOURS });
		this.said = element("p", { class: "hero-said" });
		this.button = element("button", { type: "button", class: "hero-button", onclick: () => this.press() });
		this.matrixHost = element("div", { class: "scroll" });
		this.key = element(
			"p",
			{ class: "note", hidden: true },
			"What each pair of choices is worth to Blue, as a short search sees it: +1 is a win for Blue, −1 a win for Orange. The bars show how often each choice should be played by that.",
		);
		side.replaceChildren(
			element("div", { class: "row hero-now" }, this.said, this.button),
			element("div", { class: "hero-matrix", inert: true, "aria-hidden": "true" }, this.matrixHost),
			this.key,
		);
		this.game = /** @type {Game | null} */ (null);
		this.played = 0;
		this.paused = reducedMotion();
		this.seen = true;
		this.running = /** @type {AbortController | null} */ (null);
		this.tell(null);
		const { signal } = context;
		signal.addEventListener("abort", () => this.close());
		document.addEventListener("visibilitychange", () => this.settle(), { signal });
		this.watcher = new IntersectionObserver(
			(entries) => {
				this.seen = entries[entries.length - 1].isIntersecting; // several come at once where the page was busy
				this.settle();
			},
			{ threshold: 0.2 },
		);
		this.watcher.observe(board);
		this.begin();
	}

	close() {
		this.running?.abort();
		this.watcher.disconnect();
		this.hangUp();
		this.board.destroy();
	}

	/**
	 * What is there at first: where nothing moves by itself, a position, its matrix and the button "Watch", which goes on
	 * from there.
	 */
	async begin() {
		const { api, signal } = this.context;
		await stylesheet("static/views/analysis.css", signal);
		if (!this.paused) {
			this.settle();
			return;
		}
		try {
			const { game, moves } = await api.post(
				"/api/middle",
				{ game: this.spec },
				{ signal, onWait: (wait) => this.tell(wait) },
			);
			const loaded = await Game.load({ game, start: null, moves }, { signal });
			if (this.begun) return; // "Watch" was pressed meanwhile
			this.game = loaded;
			this.show(loaded.last, null);
			this.say("A position of a game");
			const table = await this.ask(loaded, signal);
			if (!this.begun) this.hangUp();
			if (!this.begun && "rows" in table) {
				this.show(loaded.last, table);
				this.say("A position of a game");
			}
		} catch (error) {
			this.fail(error);
		}
	}

	press() {
		this.begun = true;
		if (this.over) this.played = 0;
		this.paused = this.over ? false : !this.paused;
		this.over = false;
		this.settle();
	}

	/** Runs or stops, as all that matters says. */
	settle() {
		const wanted = !this.paused && !this.over && this.seen && !document.hidden && !this.context.signal.aborted;
		if (wanted && !this.running) this.run();
		else if (!wanted) {
			this.running?.abort();
			this.running = null;
			if (this.begun || !reducedMotion()) this.hangUp();
		}
		const name = this.over ? "again" : !this.paused ? "pause" : "play";
		const label = this.over ? "Watch another" : !this.paused ? "Pause" : this.begun ? "Continue" : "Watch";
		if (this.button.dataset.does === label) return;
		this.button.dataset.does = label;
		this.button.replaceChildren(icon(name), label);
	}

	async run() {
		const run = new AbortController();
		this.running = run;
		try {
			while (this.played < MOST) {
				const game = !this.game || this.game.over ? await this.another(run.signal) : this.game;
				while (!game.over) await this.round(game, run.signal);
				this.played += 1;
				this.say(`${verdict(game.winner, COLOURS)}. ${whyOver(game)}`);
				this.show(game.last, null);
				if (this.played < MOST) await sleep(AT_END, run.signal);
			}
			this.over = true;
		} catch (error) {
			this.fail(error);
		} finally {
			if (this.running === run) {
				this.running = null;
				this.settle();
			}
		}
	}

	/** @param {AbortSignal} signal */
	async another(signal) {
		if (!this.game) this.tell({});
		const seed = Math.floor(Math.random() * 1e9);
		const game = await Game.begin({ game: this.spec, seed }, { signal, onWait: (wait) => this.tell(wait) });
		this.game = game;
		this.matrix = null;
		return game;
	}

	/**
	 * One round: both choose, both choices are shown together, the board moves.
	 * @param {Game} game
	 * @param {AbortSignal} signal
	 */
	async round(game, signal) {
		const number = game.turn;
		this.show(game.last, null);
		this.say(`${number}: both choose`);
		const table = game.last.node === "simultaneous" ? await this.search(game, signal) : null;
		const lot = table && this.byLot(table, game);
		const joint = table
			? (lot ?? this.draw(table))
			: await game.nextMove((player) => game.movesOf(player)[0].action, signal);
		if (table) {
			const pace = this.isDecided(table, game) ? QUICK : PACE;
			this.show(game.last, table);
			this.texts(game.last, ["has chosen", "has chosen"]);
			this.say(`${number}: both have chosen${lot ? ", by lot" : ""}`);
			await sleep(pace.hidden, signal);
			const chosen = [table.rows, table.columns].map(
				(side, player) => side.find(([action]) => action === joint[player])?.[1],
			);
			this.show(game.last, table, joint);
			this.texts(
				game.last,
				chosen.map((name) => `chose ${name}`),
			);
			this.say(lot ? `${number}: drawn by lot, so that no two games are alike` : `${number}: both choices are shown`);
			await sleep(pace.shown, signal);
			await game.play(joint, signal);
			this.show(game.last, table, joint, []);
			await sleep(pace.moved, signal);
		} else await game.play(joint, signal);
	}

	/**
	 * The stage matrix of the last position. What was refused is asked for again after a while.
	 * @param {Game} game
	 * @param {AbortSignal} signal
	 */
	async search(game, signal) {
		for (;;) {
			const found = await this.ask(game, signal);
			if ("rows" in found) return found;
			this.say(found.error);
			await sleep(AGAIN, signal);
		}
	}

	/**
	 * One search of the last position: its stage matrix, or why there is none.
	 * @param {Game} game
	 * @param {AbortSignal} signal
	 * @returns {Promise<Asked>}
	 */
	ask(game, signal) {
		const engine =
			this.engine ??
			new Engine((trouble) => {
				if (trouble) this.say(trouble);
			});
		this.engine = engine;
		return new Promise((resolve, reject) => {
			/** @type {StageMessage | null} */
			let found = null;
			const stop = () => {
				engine.stop(id);
				reject(new DOMException("over", "AbortError"));
			};
			const end = (/** @type {Asked} */ told) => {
				signal.removeEventListener("abort", stop);
				this.onReady();
				resolve(told);
			};
			const id = engine.ask({ do: "analyse", ...game.ref, alternatives: true, seconds: SEARCH }, (message) => {
				if (message.kind === "compiling") this.tell({ seconds: message.seconds ?? 0 });
				else if (message.kind === "alternatives") found = message.rows ? message : null;
				else if (message.kind === "error") end({ error: message.error });
				else if (message.kind === "done") end(found ?? { error: "One moment" });
			});
			signal.addEventListener("abort", stop);
		});
	}

	/** Leaves the server alone while nothing is searched. */
	hangUp() {
		this.engine?.close();
		this.engine = null;
	}

	/**
	 * In the opening any fair pair, which the bars say nothing of.
	 * @param {StageMessage} table
	 * @param {Game} game
	 */
	byLot({ rows, columns, values }, { plies, range }) {
		if (plies >= OPENING) return null;
		const fair = rows.flatMap(([first], row) =>
			columns.flatMap(([second], column) => {
				const value = values[row][column];
				return value !== null && Math.abs(leaning(value, range)) <= FAIR
					? [/** @type {Joint} */ ([first, second])]
					: [];
			}),
		);
		return fair[Math.floor(Math.random() * fair.length)] ?? null;
	}

	/**
	 * The pair that is played: each draws from its mixture.
	 * @param {StageMessage} table
	 * @returns {Joint}
	 */
	draw({ rows, columns, mixtures }) {
		const [first, second] = mixtures ?? [rows.map(() => 1), columns.map(() => 1)];
		return [rows[drawn(first)][0], columns[drawn(second)][0]];
	}

	/**
	 * @param {StageMessage} table
	 * @param {Game} game
	 */
	isDecided({ rows, columns, value }, { range }) {
		return (rows.length === 1 && columns.length === 1) || Math.abs(leaning(value, range)) > DECIDED;
	}

	/**
	 * Draws a position, its matrix where it is known, and what was chosen.
	 * @param {Position} position
	 * @param {StageMessage | null} table
	 * @param {Joint | null} [joint]
	 */
	show(position, table, joint = null, arrows = joint ? arrowsTo(joint, position.picture) : []) {
		this.recording?.abort();
		this.tell(false);
		const { picture } = position;
		fit(this.boardHost, picture);
		this.board.draw({ ...picture, moves: [] }, { arrows });
		this.lines.forEach((line, player) => line.draw(picture, { won: this.game?.winner === player }));
		if (!table) return;
		const matrix =
			this.matrix ??
			new Matrix(this.matrixHost, { onEnter() {}, onPoint() {}, names: COLOURS, range: this.game?.range });
		this.matrix = matrix;
		this.key.hidden = false;
		matrix.show(table);
		table.rows.forEach(([first], row) =>
			table.columns.forEach(([second], column) => {
				matrix.cells[row][column].classList.toggle("now", joint !== null && joint[0] === first && joint[1] === second);
			}),
		);
	}

	/**
	 * @param {Position} position
	 * @param {string[]} texts
	 */
	texts({ picture }, texts) {
		this.lines.forEach((line, player) => line.draw(picture, { text: texts[player] }));
	}

	/**
	 * In place of the board, while nothing can be shown yet: why. wait: {seconds} of waiting, {} or null; false: it can.
	 * @param {{ seconds?: number } | false | null} wait
	 */
	tell(wait) {
		if (wait === false && this.wait.hidden) return;
		this.wait.hidden = wait === false;
		this.place.classList.toggle("waiting", wait !== false);
		if (wait === false) return;
		this.say("Getting ready");
		this.wait.textContent = "Loading the game";
		if (!wait || wait.seconds === undefined) return;
		this.wait.textContent = compiling(wait.seconds);
		this.record();
		this.place.classList.toggle("waiting", !this.recording);
		if (this.recording) this.say("A recorded game");
	}

	/** Shows a recorded game until there is something of this one to be seen; where nothing moves, a position of it. */
	async record() {
		if (this.recording) return;
		const over = (this.recording = new AbortController());
		this.context.signal.addEventListener("abort", () => over.abort());
		try {
			const { default: data } = await import("../../samples/game.js");
			const positions = unpack(data.positions);
			for (
				let at = reducedMotion() ? positions.length - 9 : 0;
				!over.signal.aborted;
				at = (at + 1) % positions.length
			) {
				const { picture } = positions[at];
				fit(this.boardHost, picture);
				this.board.draw({ ...picture, moves: [] }, {});
				if (reducedMotion()) return;
				await sleep(at + 1 < positions.length ? RECORDED : AT_END, over.signal);
			}
		} catch (error) {
			if (error.name !== "AbortError") throw error;
		}
	}

	/** @param {string} text */
	say(text) {
		if (this.said.textContent !== text) this.said.textContent = text;
	}

	/** @param {any} error */
	fail(error) {
		if (error.name === "AbortError") return;
		this.onReady();
		this.over = true;
		this.settle();
		this.say(error.message);
		if (!this.wait.hidden) this.wait.textContent = "The live game cannot be shown.";
		if (error.name !== "Refused") throw error;
	}
}

/** @type {(seconds: number) => string} */
const compiling = (seconds) =>
	`The players are compiled once, before their first game${seconds >= 1 ? `; ${Math.floor(seconds)} s so far` : ""}.`;

/**
 * A place, drawn with these weights.
 * @param {number[]} weights
 */
function drawn(weights) {
	let left = Math.random() * weights.reduce((sum, one) => sum + one, 0);
	const found = weights.findIndex((one) => {
		left -= one;
		return left < 0;
	});
	return found < 0 ? weights.indexOf(Math.max(...weights)) : found;
}
