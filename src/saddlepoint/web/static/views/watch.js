// Watch: two players play, as fast as is wished; then the game as a replay.
//
// Address: #/watch?g=GAME&s=START&m=MOVES&a=SEAT&b=SEAT, new=1 for a game of its own; without a game it asks for one.
import { Scoreboard } from "../../viewer/scoreboard.js";
import { button, element, select } from "../dom.js";
import { Frame } from "../frame.js";
import { Game, verdict, whyOver } from "../game.js";
import { shortcuts, stepping } from "../keys.js";
import { stepTo, tool } from "../parts.js";
import { rulesOf } from "../rules.js";
import {
	ask,
	entryOf,
	noSuchGame,
	parseSeat,
	seatNames,
	seatSpec,
	seatText,
	tableParams,
	usualSeat,
} from "../seats.js";
import {
	keep,
	keepGame,
	kept,
	keptAt,
	keptGame,
	newId,
	parseSpec,
	refFromParams,
	refToParams,
	sleep,
	waitText,
} from "../state.js";
import { takeFile } from "./source.js";
import { stylesheet } from "./stylesheet.js";

/** Least milliseconds from one position to the next. */
const PACES = [
	["0", "As fast as they play"],
	["300", "Quick"],
	["900", "Calm"],
	["2000", "Slow"],
];

/** @type {View["mount"]} */
export async function mount(host, params, context) {
	const [known] = await Promise.all([context.catalogue(), stylesheet("static/views/watch.css", context.signal)]);
	let ref = refFromParams(params);
	/** @type {(string | null)[]} */
	let written = [params.get("a"), params.get("b")];
	if (!ref) {
		const before = keptGame("watch");
		if (!before) {
			context.go("start", { do: "watch" });
			return null;
		}
		({ ref, seats: written } = before);
	}
	const entry = entryOf(known, ref.game);
	if (!entry) throw new context.api.Refused(noSuchGame(ref.game));
	const seats = written.map((seat) => (seat && seat !== "you" ? parseSeat(seat) : usualSeat(entry)));
	const about = { signal: context.signal, names: seatNames(seats, entry) };
	const game = ref.start || ref.moves.length ? await Game.load(ref, about) : await Game.begin(ref, about);
	const show = new Show(host, game, seats, entry, context, params.has("new"));
	return () => show.close();
}

class Show {
	/** @type {HTMLButtonElement} */ startButton;
	/** @type {HTMLButtonElement} */ pauseButton;
	/** @type {HTMLButtonElement} */ stepButton;
	/** @type {HTMLElement} */ controls;
	/** @type {HTMLElement} */ end;
	/** @type {Frame} */ frame;
	/** @type {HTMLElement} */ status;
	/** @type {HTMLElement} */ detail;
	/** @type {Scoreboard} */ score;

	/**
	 * @param {HTMLElement} host
	 * @param {Game} game
	 * @param {Seat[]} seats
	 * @param {CatalogueGame} entry
	 * @param {Context} context
	 * @param {boolean} isNew
	 */
	constructor(host, game, seats, entry, context, isNew) {
		this.host = host;
		this.game = game;
		this.seats = seats;
		this.entry = entry;
		this.context = context;
		this.names = seatNames(seats, entry);
		this.shown = game.plies;
		this.id = (isNew ? null : keptAt("watch", game.ref)?.id) ?? newId();
		this.running = /** @type {AbortController | null} */ (null);
		this.pace = kept("pace", "900");
		context.title(`${entry.title}: ${this.names.join(" – ")}`);
		context.signal.addEventListener("abort", () => this.running?.abort());
		this.build();
		shortcuts(context.signal, [
			...stepping((pick) => this.pick(pick)),
			{ keys: [" "], shown: "Space", says: "Pause, or go on", act: () => (this.running ? this.pause() : this.start()) },
		]);
		this.store();
		this.draw();
		if (!game.over) this.start();
	}

	close() {
		this.running?.abort();
		this.frame.destroy();
	}

	build() {
		this.startButton = tool("play", "Start", () => this.start(), { class: "main" });
		this.pauseButton = tool("pause", "Pause", () => this.pause(), { class: "main" });
		this.stepButton = tool("step", "Step", () => this.step());
		this.controls = element(
			"div",
			{ class: "row" },
			this.startButton,
			this.pauseButton,
			this.stepButton,
			tool("flip", "Flip the board", () => this.frame.flip(), { small: true }),
		);
		this.end = element(
			"div",
			{ class: "row", hidden: true },
			tool("again", "Another game", () => this.again(), { class: "main" }),
			tool("play", "Replay", () => this.replay()),
		);
		this.frame = new Frame(this.host, {
			title: `Watch ${this.entry.title}`,
			names: this.names,
			firstTurn: this.game.firstTurn,
			onPick: (pick) => this.pick(pick),
			panel: [
				this.controls,
				this.end,
				element(
					"label",
					{ class: "field" },
					element("span", {}, "Speed"),
					select(PACES, this.pace, (value) => {
						this.pace = value;
						keep("pace", value);
					}),
				),
				rulesOf(this.entry, this.game.ref.game, this.context),
			],
			more: [
				element("a", { class: "button", href: `#/?g=${encodeURIComponent(this.game.ref.game)}&do=watch` }, "New"),
				button("Analyse", () => this.analyse()),
			],
		});
		({ status: this.status, detail: this.detail } = this.frame);
		const inside = Object.entries(parseSpec(this.game.ref.game)[1])
			.map(([key, value]) => `${key}=${value}`)
			.join(", ");
		this.score = new Scoreboard(this.host, {
			title: inside ? `${this.entry.title} (${inside})` : this.entry.title,
			numbers: true,
			players: this.names.map((name, player) => ({ name, spec: seatSpec(this.seats[player], this.entry) })),
		});
		// the lines of the players say no more than it
		this.frame.node.querySelector(".play-board")?.prepend(this.score.node);
	}

	store() {
		this.context.remember(tableParams(this.game.ref, this.seats));
		keepGame("watch", { id: this.id, ref: this.game.ref, seats: [seatText(this.seats[0]), seatText(this.seats[1])] });
	}

	async start() {
		await this.run(Infinity);
	}

	async step() {
		this.pause();
		if (this.shown !== this.game.plies) this.look(this.shown + 1);
		else await this.run(1);
	}

	pause() {
		this.running?.abort();
		this.running = null;
		this.draw();
	}

	/**
	 * Plays this many moves, or until it is over or paused.
	 * @param {number} most
	 */
	async run(most) {
		this.running?.abort();
		const run = new AbortController();
		this.running = run;
		this.shown = this.game.plies;
		try {
			for (let played = 0; played < most && !this.game.over; played += 1) {
				this.draw();
				const pace = sleep(Number(this.pace), run.signal);
				const [joint] = await Promise.all([
					this.game.nextMove((player) => this.answerOf(player, run.signal), run.signal),
					most === 1 ? null : pace,
				]);
				pace.catch(() => {});
				await this.game.play(joint, run.signal);
				this.shown = this.game.plies;
				this.store();
			}
		} catch (error) {
			if (error.name === "AbortError") return;
			this.detail.textContent = error.message;
			if (error.name !== "Refused") throw error;
		} finally {
			if (this.running === run) {
				this.running = null;
				this.draw();
				if (this.game.over) this.context.say(`${this.status.textContent}. ${this.detail.textContent}`);
			}
		}
	}

	/**
	 * @param {number} player
	 * @param {AbortSignal} signal
	 */
	async answerOf(player, signal) {
		const { action } = await ask(this.seats[player], player, this.game.ref, this.entry, {
			signal,
			onWait: (wait) => {
				this.detail.textContent = wait ? waitText(wait) : "";
			},
		});
		return action;
	}

	draw() {
		const { game, shown } = this;
		const position = game.positions[shown];
		this.frame.draw(game.positions, shown);
		this.status.textContent =
			game.over && shown === game.plies
				? verdict(game.winner, this.names)
				: shown !== game.plies
					? game.turnsAt(shown)
					: this.running
						? game.turn
						: "Paused";
		if (game.over) this.detail.textContent = shown === game.plies ? whyOver(game) : "";
		this.startButton.hidden = Boolean(this.running) || game.over;
		this.pauseButton.hidden = !this.running || game.over;
		this.stepButton.disabled = game.over && shown === game.plies;
		this.end.hidden = !game.over;
		const isLast = shown === game.plies;
		this.score.draw({
			numbers: position.picture.numbers,
			result: game.over && isLast ? game.last.result : null,
			middle: (game.range[0] + game.range[1]) / 2,
			round: isLast && !game.over ? game.turn : game.turnsAt(shown),
			acting: this.running && isLast && !game.over ? position.to_act : [],
		});
	}

	/** @param {Step} pick */
	pick(pick) {
		this.pause();
		this.look(stepTo(pick, this.shown, this.game.plies));
	}

	/** @param {number} at */
	look(at) {
		this.shown = Math.min(at, this.game.plies);
		this.draw();
	}

	async again() {
		const fresh = await Game.begin({ game: this.game.ref.game }, { signal: this.context.signal });
		this.context.go("watch", tableParams(fresh.ref, this.seats));
	}

	analyse() {
		const params = refToParams(this.game.ref);
		this.names.forEach((name, player) => params.set(`p${player}`, name));
		if (this.shown !== this.game.plies) params.set("at", `${this.shown}`);
		this.context.go("analysis", params);
	}

	/** The game in the view of replays. */
	async replay() {
		const line = await this.context.api.post("/api/line", { ...this.game.ref, players: this.names }, { kind: "text" });
		this.context.go("replay", { dropped: await takeFile(new Blob([line]), this.context) });
	}
}
