// A seat at a table, or a place to look on: the server judges and keeps the game, the page shows it.
import { button, element } from "../../dom.js";
import { Frame } from "../../frame.js";
import { Game, verdict, whyOver } from "../../game.js";
import { directions } from "../../input.js";
import { stepTo, tool } from "../../parts.js";
import { rulesOf } from "../../rules.js";
import { entryOf, noSuchGame } from "../../seats.js";
import { refToParams } from "../../state.js";
import { clockText, linkBox, nameForm } from "./links.js";

const TICK = 200; // milliseconds between two looks at the clocks

export class Table {
	/** @type {TableMessage} */ told;
	/** @type {Game} */ game;
	/** @type {Frame | null} */ frame = null;
	/** @type {CatalogueGame} */ entry;

	/**
	 * @param {HTMLElement} host
	 * @param {Catalogue} catalogue
	 * @param {import("./line.js").Line} line
	 * @param {Context} context
	 */
	constructor(host, catalogue, line, context) {
		this.host = element("div", { class: "friend" });
		host.append(this.host);
		this.catalogue = catalogue;
		this.line = line;
		this.context = context;
		this.built = "";
		this.shown = 0;
		this.together = true;
		this.toldAt = 0;
		this.work = Promise.resolve();
		/** @type {AbortController | null} */
		this.over = null;
		this.ticking = setInterval(() => this.drawLines(), TICK);
	}

	close() {
		clearInterval(this.ticking);
		this.over?.abort();
		this.frame?.destroy();
	}

	/**
	 * The table as it is now. Positions are asked for one message after the other.
	 * @param {TableMessage} message
	 */
	hear(message) {
		this.work = this.work
			.then(() => this.show(message))
			.catch((error) => {
				if (error.name === "AbortError") return;
				this.refuse(error.message);
				if (error.name !== "Refused") throw error;
			});
	}

	/** @param {string} sentence */
	refuse(sentence) {
		if (this.frame) this.frame.detail.textContent = sentence;
		else this.host.replaceChildren(element("p", { class: "notice", role: "alert" }, sentence));
		this.context.say(sentence);
	}

	/** @param {TableMessage} message */
	async show(message) {
		const { signal } = this.context;
		const before = this.told;
		this.told = message;
		this.toldAt = performance.now();
		const names = this.names;
		const entry = entryOf(this.catalogue, message.game);
		if (!entry) throw new this.context.api.Refused(noSuchGame(message.game));
		this.entry = entry;
		if (message.seat !== null && !message.names[message.seat]) {
			this.invite(message);
			return;
		}
		const table = JSON.stringify([message.games, message.start, message.seat, names]);
		if (this.built !== table || before.moves.length > message.moves.length) {
			this.game = await Game.load(
				{ game: message.game, start: message.start, moves: message.moves },
				{ signal, names },
			);
			this.shown = this.game.plies;
			if (this.built !== table) this.build(names);
			this.built = table;
		} else if (message.moves.length > this.game.plies) {
			const from = this.game.plies;
			await this.game.follow(message.moves, signal);
			this.shown = this.game.plies;
			this.reveal(from);
		}
		if (message.look !== null && message.look !== before?.look && this.together) this.shown = message.look;
		this.draw();
	}

	/**
	 * Who was invited and has not sat down.
	 * @param {TableMessage} message
	 */
	invite(message) {
		const other = message.names[1 - (message.seat ?? 1)];
		this.context.title(`${other} invites you`);
		this.host.replaceChildren(
			element(
				"div",
				{ class: "panel stack invitation" },
				element("h1", {}, `${other} invites you to ${this.entry.title}`),
				element("p", { class: "note" }, `${this.entry.summary}; played ${clockText(message)}.`),
				nameForm("Sit down", (name) => this.line.send({ do: "sit", name })),
			),
		);
	}

	/** What the two are called here, player 0 first. */
	get names() {
		const { seat, names } = this.told;
		return names.map((name, player) => (player === seat ? "You" : name || "Friend"));
	}

	/** @param {string[]} names */
	build(names) {
		const { seat } = this.told;
		this.over?.abort();
		this.over = new AbortController();
		this.frame?.destroy();
		this.host.replaceChildren();
		this.choices = element("div", {
			class: "choices",
			role: "group",
			"aria-label": "Moves without a place on the board",
		});
		this.news = element("div", { class: "stack news" });
		this.tools = {
			back: tool("back", "Take back", () => this.line.send({ do: "wish", what: "back" }), { class: "quiet" }),
			flip: tool("flip", "Flip", () => this.frame?.flip(), { class: "quiet" }),
			resign: tool("flag", "Resign", () => this.line.send({ do: "resign" }), { class: "quiet" }),
		};
		this.frame = new Frame(this.host, {
			firstTurn: this.game.firstTurn,
			title: this.entry.title,
			names,
			flipped: seat === 1,
			onMove: (move) => this.choose(move),
			onPick: (pick) => this.look(stepTo(pick, this.shown, this.game.plies)),
			panel: [
				this.choices,
				this.news,
				element("div", { class: "row tools" }, ...(seat === null ? [this.tools.flip] : Object.values(this.tools))),
				rulesOf(this.entry, this.game.ref.game, this.context),
			],
			more: [this.watchLink()],
		});
		this.context.title(`${this.entry.title}: ${names.join(" – ")}`);
		directions(this.frame.boardHost, this.over.signal, (arrow) => {
			const move = this.mayChoose ? this.game.movesOf(seat ?? 0).find((one) => one.arrow === this.turned(arrow)) : null;
			if (move) this.choose(move);
			return Boolean(move);
		});
	}

	watchLink() {
		return element(
			"details",
			{},
			element("summary", {}, "Let others look on"),
			linkBox("A link that only shows the game", this.told.watch, this.told.entrance),
		);
	}

	/**
	 * What an arrow key means on the board as it lies: flipped, it is turned by half a turn.
	 * @param {import("../../input.js").Way} arrow
	 */
	turned(arrow) {
		return this.frame?.flipped ? { up: "down", down: "up", left: "right", right: "left" }[arrow] : arrow;
	}

	get isOver() {
		return this.told.points !== null;
	}

	get hasBegun() {
		return this.told.names.every(Boolean);
	}

	/** Whether anybody has made a move, beside what chance drew. */
	get hasChoice() {
		return this.game.positions.slice(0, -1).some((one) => one.to_act.length);
	}

	get mayChoose() {
		const { seat, chosen } = this.told;
		return (
			seat !== null &&
			!this.isOver &&
			this.hasBegun &&
			this.shown === this.game.plies &&
			this.game.last.to_act.includes(seat) &&
			!chosen[seat]
		);
	}

	/** @param {Move} move */
	choose(move) {
		if (!this.mayChoose || (move.player ?? 0) !== this.told.seat) return;
		this.line.send({ do: "choose", move: this.game.plies, action: move.action });
	}

	/** @param {number} at */
	look(at) {
		this.shown = at;
		if (this.isOver && this.together && this.told.seat !== null) this.line.send({ do: "look", at });
		this.draw();
	}

	/**
	 * Both choices at once: what was played after so many moves. What chance drew stands in the list.
	 * @param {number} before
	 */
	reveal(before) {
		const { to_act: acted, node } = this.game.positions[before];
		const names = this.game.positions[before + 1].names || [];
		if (!this.frame || node === "chance") return;
		const told = acted.map((player) => `${this.names[player]}: ${names[player]}`).join(", ");
		this.frame.detail.textContent = acted.length === 2 ? told : "";
		this.context.say(told);
	}

	draw() {
		const { frame, game, shown } = this;
		if (!frame || !this.choices) return;
		frame.draw(game.positions, shown);
		const moves = this.mayChoose ? game.movesOf(this.told.seat ?? 0) : [];
		const { picture } = game.positions[shown];
		frame.board.choosable(moves);
		const onBoard = (/** @type {Move} */ move) => Boolean(picture.width && move.to);
		const listed = moves.filter((move) => !onBoard(move) && !(move.arrow && moves.some(onBoard)));
		this.choices.replaceChildren(...listed.map((move) => button(move.name, () => this.choose(move))));
		frame.status.textContent = this.statusText();
		this.drawLines();
		this.drawNews();
		if (!this.tools) return;
		const own = this.told.seat !== null && this.told.chosen[this.told.seat] && this.told.minutes === null;
		this.tools.back.disabled =
			!this.hasBegun || this.told.ended !== null || (!own && (this.told.room !== undefined || !this.hasChoice));
		this.tools.resign.disabled = this.isOver || !this.hasBegun;
	}

	drawLines() {
		const { told, frame, game } = this;
		if (!frame || !told) return;
		const now = this.shown === game.plies;
		frame.drawLines(game.positions[this.shown].picture, (player) => ({
			acting: now && !this.isOver && this.hasBegun && game.last.to_act.includes(player) && !told.chosen[player],
			text: [this.clockOf(player), now ? this.noteOf(player) : ""].filter(Boolean).join(" · "),
			won: told.points === 1 - player,
		}));
	}

	/** @param {number} player */
	clockOf(player) {
		const { left, runs } = this.told;
		if (!left) return "";
		const seconds = Math.max(0, left[player] - (runs[player] ? (performance.now() - this.toldAt) / 1000 : 0));
		const whole = seconds < 10 ? seconds : Math.ceil(seconds);
		return `${Math.floor(whole / 60)}:${(whole % 60).toFixed(seconds < 10 ? 1 : 0).padStart(seconds < 10 ? 4 : 2, "0")}`;
	}

	/** @param {number} player */
	noteOf(player) {
		const { told } = this;
		if (!told.names[player]) return "is not there yet";
		const away = !told.here[player] && !told.levels[player];
		if (this.isOver) return away ? "has left" : "";
		if (told.chosen[player]) return player === told.seat ? "have chosen" : "has chosen";
		if (away) return "has left; may come back";
		return this.hasBegun && this.game.last.to_act.includes(player) && player !== told.seat ? "is thinking" : "";
	}

	statusText() {
		const { told, game } = this;
		if (this.shown !== game.plies) return game.turnsAt(this.shown);
		if (told.ended) {
			const [how, player] = told.ended;
			const who = player < 0 ? "Both" : player === told.seat ? "You" : this.names[player];
			return `${who} ${{ late: "ran out of time", resigned: "resigned", left: "left the game" }[how]}`;
		}
		if (this.isOver) return verdict(told.points === 0.5 ? null : told.points === 1 ? 0 : 1, this.names, told.seat);
		if (!this.hasBegun) return told.seat === null ? "Waiting for both" : "Waiting for your friend";
		if (this.mayChoose) return "Your move";
		const other = game.last.to_act.find((player) => player !== told.seat && !told.chosen[player]);
		return other === undefined
			? "One moment"
			: `${this.names[other]} ${told.here[other] || told.levels[other] ? "is thinking" : "has left"}`;
	}

	/** What there is to say beside the game: the invitation, wishes, what comes after the end. */
	drawNews() {
		const { told, frame } = this;
		if (!frame || !this.news) return;
		if (this.news.contains(document.activeElement) && told.invite) return; // somebody copies the link
		/** @type {Child[]} */
		const news = [];
		if (told.invite) news.push(linkBox("Send this link to your friend", told.invite, told.entrance));
		if (told.games) news.push(this.scoreLine());
		if (told.wish) news.push(this.wishLine(...told.wish));
		if (this.isOver) {
			if (!told.ended) frame.detail.textContent = this.shown === this.game.plies ? whyOver(this.game) : "";
			news.push(
				element(
					"div",
					{ class: "row end" },
					told.seat !== null && !told.room && told.wish?.[0] !== "again"
						? tool("again", "Play again", () => this.line.send({ do: "wish", what: "again" }), { class: "main" })
						: null,
					tool("search", "What happened?", () => this.analyse()),
				),
				element(
					"label",
					{ class: "choice" },
					element("input", {
						type: "checkbox",
						checked: this.together,
						onchange: (/** @type {Event} */ event) => {
							this.together = /** @type {HTMLInputElement} */ (event.target).checked;
						},
					}),
					"Look at the game together",
				),
			);
		}
		if (told.room)
			news.push(
				element(
					"div",
					{ class: "row" },
					told.room.next &&
						element("a", { class: "button main", href: `#/friend?k=${told.room.next}` }, "Your next game has begun"),
					element("a", { class: "button", href: `#/friend?k=${told.room.key}` }, "The room"),
				),
			);
		if (told.watching) news.push(element("p", { class: "note" }, `${told.watching} looking on`));
		this.news.replaceChildren(...news.filter((one) => one instanceof Element));
	}

	scoreLine() {
		const { score } = this.told;
		return element("p", { class: "note" }, `${this.names[0]} ${score[0]} – ${score[1]} ${this.names[1]}`);
	}

	/**
	 * @param {Wish} what
	 * @param {number} by
	 */
	wishLine(what, by) {
		const told = what === "back" ? "take the last move back" : "play again";
		if (this.told.seat === null) return element("p", { class: "note" }, `${this.names[by]} would like to ${told}.`);
		const mine = by === this.told.seat;
		return element(
			"div",
			{ class: "row", role: "alert" },
			element("span", {}, mine ? `You have asked to ${told}.` : `${this.names[by]} would like to ${told}.`),
			mine ? null : button("Agree", () => this.line.send({ do: "wish", what }), { class: "main" }),
			button(mine ? "Never mind" : "No", () => this.line.send({ do: "decline" })),
		);
	}

	/** The review of a game that is over; while it goes on nobody is helped. */
	analyse() {
		const params = refToParams(this.game.ref);
		this.names.forEach((name, player) => params.set(`p${player}`, name));
		this.told.names.forEach((_, player) => params.set(`s${player}`, player === this.told.seat ? "you" : ""));
		if (this.told.ended && this.told.ended[1] >= 0) params.set("lost", `${this.told.ended[1]}`);
		params.set("review", "1");
		this.context.go("analysis", params);
	}
}
