// The review of a whole game: what every position was worth, the story of how it was lost, the moments that mattered,
// and the numbers.

import { Board } from "../../../viewer/board.js";
import { element } from "../../dom.js";
import { tool } from "../../parts.js";
import { waitText } from "../../state.js";
import { arrowsTo } from "./arrows.js";
import { Curve } from "./curve.js";
import { figures } from "./figures.js";
import { Lessons } from "./lessons.js";

/**
 * @typedef {GameRef & { players: string[], result: number | null, faults: string[] | null }} Reviewed
 * @typedef {{
 *   game: () => Reviewed, range: Bounds, recorded: (number | null)[] | undefined, result: number | null, pictures: ()
 *   => Promise<(Picture | undefined)[]>,
 *   onGo: (step: number) => void, onFrom: ((step: number, who: "again" | "best") => void) | null, onLearn: (lessons:
 *   Lessons | null) => void,
 *   onSay: (text: string) => void, onBegin: () => void,
 * }} About
 */

const HEADINGS = { end: "What ended it", chance: "The last chance", lost: "Where it was lost" };

export class Review {
	/**
	 * `game()`: what is asked about; `recorded`: values that the players told in the game, or nothing; `result`: what it
	 * ended with, or
	 * null; `pictures()`: a promise of the pictures of all positions; `onFrom(step, who)`: plays from there, "again" or
	 * "best"; null where
	 * nobody can; `onLearn(lessons)`: shows what is learnt from in the place of the analysis, null: the analysis again;
	 * `onBegin()`: a review was asked for.
	 * @param {import("./engine.js").Engine} engine
	 * @param {About} about
	 */
	constructor(engine, { game, range, recorded, result, pictures, onGo, onFrom, onLearn, onSay, onBegin }) {
		this.engine = engine;
		this.game = game;
		this.range = range;
		this.pictures = pictures;
		this.onGo = onGo;
		this.onFrom = onFrom;
		this.onLearn = onLearn;
		this.onSay = onSay;
		this.onBegin = onBegin;
		this.length = game().moves.length;
		/** @type {(number | null)[]} */
		this.values = Array.from({ length: this.length + 1 }, (_, ply) => recorded?.[ply] ?? null);
		if (result !== null && result !== undefined) this.values[this.length] = result;
		this.moments = /** @type {Moment[]} */ ([]);
		this.here = 0;
		this.number = /** @type {number | null} */ (null);
		this.asked = this.jump = false; // for a review; whether its end goes to where the game was lost
		this.curve = new Curve({ length: this.length, range, names: game().players, onGo });
		this.button = tool("search", "Review this game", () => (this.number === null ? this.start() : this.stop()));
		this.progress = element("p", { class: "note" });
		this.verdict = element("p", { class: "verdict", hidden: true });
		this.story = element("ol", { class: "story", "aria-label": "How it was lost" });
		this.figures = element("div", { class: "stack numbers-of-review", hidden: true });
		this.learn = element("div", { class: "row learn" });
		this.list = element("ol", { class: "mistakes", "aria-label": "Moments that mattered" });
		this.host = element(
			"section",
			{ class: "review panel stack", "aria-label": "The whole game", hidden: !this.length },
			this.curve.host,
			element("div", { class: "row" }, this.button),
			this.list,
			this.figures,
			this.curve.table,
		);
		this.answer = element(
			"section",
			{ class: "answer panel stack", "aria-label": "What the review found", hidden: true },
			this.progress,
			this.story,
			this.verdict,
			this.learn,
		);
		this.draw();
	}

	/**
	 * Marks the position shown.
	 * @param {number} ply
	 */
	at(ply) {
		this.here = ply;
		this.draw();
	}

	/** Looks at the whole game; `jump`: goes to where it was lost when that is done. */
	start(jump = false) {
		if (!this.length) return;
		this.asked = true;
		this.jump = jump;
		this.moments = [];
		this.list.replaceChildren();
		this.story.replaceChildren();
		this.learn.replaceChildren();
		this.verdict.hidden = this.figures.hidden = this.curve.table.hidden = true;
		this.label("Stop");
		this.answer.hidden = false;
		this.answer.scrollIntoView({ block: "nearest" });
		this.progress.textContent = "Looking at the game …";
		this.progress.hidden = false;
		this.number = this.engine.ask({ do: "review", ...this.game() }, (message) => this.hear(message));
		this.onBegin();
	}

	stop() {
		if (this.number !== null) this.engine.stop(this.number);
		this.end("Stopped.");
	}

	/**
	 * What the button says, beside its icon.
	 * @param {string} text
	 */
	label(text) {
		if (this.button.lastChild) this.button.lastChild.textContent = text;
	}

	/** @param {string} text */
	end(text) {
		this.number = null;
		this.label("Review this game");
		this.progress.textContent = text;
		this.progress.hidden = !text;
		if (text) this.onSay(text);
	}

	/** @param {EngineMessage} message */
	hear(message) {
		if (message.kind === "compiling") {
			this.progress.textContent = waitText({ ...message, compiling: message.what });
		} else if (message.kind === "error") {
			this.end(message.error);
		} else if (message.kind === "review") {
			this.values[message.step] = message.value;
			this.progress.textContent = `${message.done} of ${message.expected} searches at most`;
			this.draw();
		} else if (message.kind === "done") {
			this.finish(message);
		}
	}

	/** @param {DoneMessage} message */
	finish(message) {
		this.end("");
		if (!message.says) return; // stopped
		const found = /** @type {ReviewResult} */ (message),
			{ says, moments, verdict, story, stands } = found;
		this.moments = moments;
		this.verdict.textContent = story.length ? stands : says.join(" ");
		this.verdict.hidden = !this.verdict.textContent;
		const others = moments.filter((one) => !story.some(({ step }) => step === one.step));
		const boards = [...story, ...others].map(() => element("span", { class: "board small", "aria-hidden": "true" }));
		this.story.replaceChildren(...story.map((one, place) => this.told(one, boards[place], one.step === verdict.step)));
		this.list.replaceChildren(
			...others.map((one, place) =>
				element(
					"li",
					{},
					element(
						"button",
						{ type: "button", "data-step": one.step, onclick: () => this.onGo(one.step) },
						boards[story.length + place],
						element("span", { class: "what" }, one.says),
					),
				),
			),
		);
		this.drawMoments(boards, [...story, ...others]);
		const { players } = this.game();
		this.figures.replaceChildren(...figures(found, players));
		this.figures.hidden = false;
		this.curve.tell(found.turns, found.turn_word);
		this.offerLessons(found, players);
		this.draw();
		this.onSay(says.join(" "));
		const { jump } = this;
		this.jump = false;
		if (jump && verdict.step !== null) this.onGo(verdict.step);
	}

	/**
	 * A step of the story: its board, what happened, and what one can do there.
	 * @param {StoryStep} told
	 * @param {HTMLElement} board
	 * @param {boolean} decisive
	 */
	told({ kind, step, says }, board, decisive) {
		const { onFrom } = this;
		return element(
			"li",
			{ class: decisive ? "decisive" : null, "data-step": step },
			element(
				"button",
				{
					type: "button",
					class: "there",
					"aria-label": `${HEADINGS[kind]}: show it on the board`,
					onclick: () => this.onGo(step),
				},
				board,
			),
			element(
				"div",
				{ class: "what stack" },
				element("h2", {}, HEADINGS[kind]),
				element("p", {}, says.join(" ")),
				onFrom &&
					element(
						"div",
						{ class: "row" },
						tool("again", "Try again from here", () => onFrom(step, "again")),
						tool("eye", "Let the strongest play it", () => onFrom(step, "best")),
					),
			),
		);
	}

	/**
	 * One button for who looks at the own game, else one for each player that made mistakes.
	 * @param {ReviewResult} found
	 * @param {string[]} players
	 */
	offerLessons({ mistakes, numbers }, players) {
		const you = players.indexOf("You");
		const sides = [0, 1].filter(
			(player) => (you < 0 || player === you) && mistakes.some((one) => one.player === player),
		);
		this.learn.replaceChildren(
			...sides.map((player) =>
				tool("hint", you < 0 ? `Learn from the mistakes of ${players[player]}` : "Learn from your mistakes", () =>
					this.teach(
						mistakes.filter((one) => one.player === player),
						numbers.sizes.small,
					),
				),
			),
		);
	}

	/**
	 * @param {Mistake[]} mistakes
	 * @param {number} tolerance
	 */
	async teach(mistakes, tolerance) {
		const pictures = await this.pictures().catch(() => null);
		if (!pictures?.every(isThere)) return;
		const lessons = new Lessons({
			mistakes,
			tolerance,
			pictures,
			names: this.game().players,
			onSay: this.onSay,
			onClose: () => {
				this.onLearn(null);
				lessons.close();
				this.learn.querySelector("button")?.focus();
			},
		});
		this.onLearn(lessons);
		lessons.title.focus();
	}

	/**
	 * The positions of steps, with the moves that were played there.
	 * @param {HTMLElement[]} boards
	 * @param {{ step: number }[]} moments
	 */
	async drawMoments(boards, moments) {
		const { moves, players } = this.game();
		const pictures = await this.pictures().catch(() => null); // their words say enough
		if (!pictures) return;
		boards.forEach((host, place) => {
			const { step } = moments[place];
			const picture = pictures[step];
			if (!picture || !host.isConnected) return;
			// What is told in words and figures alone cannot be read that small.
			if (!picture.width) host.replaceChildren(host.closest(".there") ? "Show it" : "");
			else
				new Board(host, { names: players }).draw(picture, {
					animate: false,
					arrows: arrowsTo(moves[step] ?? [], picture),
				});
		});
	}

	draw() {
		this.curve.draw(
			this.values,
			this.here,
			this.moments.map(({ step }) => step),
		);
	}
}

/** @type {(picture: Picture | undefined) => picture is Picture} */
const isThere = (picture) => picture !== undefined;
