// Learning from mistakes: the position before each of a player's mistakes, without what the analysis knows of it. The
// person looks for a
// better move; the page says whether it is good, by the losses that the review found.

import { Board } from "../../../viewer/board.js";
import { Targets } from "../../../viewer/targets.js";
import { button, element } from "../../dom.js";
import { share } from "../numbers.js";
import { arrowOf } from "./arrows.js";

const LEAST = 0.005; // a move that is played more seldom is not named

export class Lessons {
	place = 0; // which mistake is asked about
	tries = 0;
	open = false; // whether it is still to be found
	/** @type {(("first" | "later" | "shown") | null)[]} how each was found */ results = [];

	/**
	 * `mistakes` of one player, as the review tells them; `tolerance`: what a move may give away and still be good;
	 * `pictures` of all
	 * positions; `names` of the players; `onClose()`; `onSay(text)` for screen readers.
	 * @param {{ mistakes: Mistake[], tolerance: number, pictures: Picture[], names: string[], onClose: () => void, onSay: (text: string) => void }} about
	 */
	constructor({ mistakes, tolerance, pictures, names, onClose, onSay }) {
		this.mistakes = mistakes;
		this.tolerance = tolerance;
		this.pictures = pictures;
		this.names = names;
		this.onClose = onClose;
		this.onSay = onSay;
		this.title = element(
			"h2",
			{ tabindex: -1 },
			mistakes.length && names[mistakes[0].player] !== "You"
				? `Learn from the mistakes of ${names[mistakes[0].player]}`
				: "Learn from your mistakes",
		);
		this.count = element("span", { class: "note lesson-count" });
		this.task = element("p", {});
		this.boardHost = element("div", { class: "board" });
		this.board = new Board(this.boardHost, {
			names,
			Targets,
			onMove: ({ player, action }) => this.choose(player, action, true),
		});
		this.moves = element("div", { class: "row lesson-moves", role: "group", "aria-label": "Moves" });
		this.reply = element("p", { class: "lead lesson-reply" });
		this.answer = element("p", { class: "lesson-answer" });
		this.showButton = button("Show the answer", () => this.reveal("shown"));
		this.nextButton = button("Next", () => this.show(this.place + 1), { class: "main" });
		this.closeButton = button("Back to the review", () => this.onClose());
		this.whole = element(
			"div",
			{ class: "stack lesson-body" },
			this.task,
			this.boardHost,
			this.moves,
			this.reply,
			this.answer,
			element("div", { class: "row" }, this.showButton, this.nextButton),
		);
		this.end = element("div", { class: "stack", hidden: true });
		this.host = element(
			"section",
			{
				class: "lesson panel stack",
				"aria-label": this.title.textContent,
				onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
			},
			element("div", { class: "row" }, this.title, this.count, this.closeButton),
			this.whole,
			this.end,
		);
		this.begin();
	}

	begin() {
		this.results = this.mistakes.map(() => null);
		this.end.hidden = true;
		this.whole.hidden = false;
		this.show(0);
	}

	/**
	 * The analysis behind has arrow keys of its own.
	 * @param {KeyboardEvent} event
	 */
	key(event) {
		event.stopPropagation();
		if (event.key === "Escape") this.onClose();
	}

	get mistake() {
		return this.mistakes[this.place];
	}

	/** @param {number} place */
	show(place) {
		this.place = place;
		if (place >= this.mistakes.length) {
			this.summary();
			return;
		}
		const { player, label, step } = this.mistake;
		this.tries = 0;
		this.open = true;
		this.count.textContent = `${place + 1} of ${this.mistakes.length}`;
		const mover = this.names[player] === "You" ? "Your move" : `${this.names[player]} to move`;
		this.task.textContent = `${label[0].toUpperCase()}${label.slice(1)}. ${mover}. Find a better move than the one in the game.`;
		this.reply.textContent = "";
		this.answer.textContent = "";
		this.showButton.hidden = false;
		this.nextButton.hidden = true;
		this.nextButton.textContent = place + 1 < this.mistakes.length ? "Next" : "To the end";
		const picture = this.pictures[step];
		this.board.draw(picture, { animate: false, arrows: [] });
		this.offer(this.own());
		this.title.focus({ preventScroll: true });
		this.onSay(`${this.count.textContent}. ${this.task.textContent}`);
	}

	/** The moves of who made the mistake. */
	own() {
		const { player, step } = this.mistake;
		return (this.pictures[step].moves ?? []).filter((move) => move.player === player);
	}

	/**
	 * On the board as everywhere; what has no place on it is listed below.
	 * @param {Move[]} moves
	 */
	offer(moves) {
		this.board.choosable(moves);
		const onBoard = (/** @type {Move} */ move) => Boolean(this.pictures[this.mistake.step].width && move.to);
		const listed = moves.filter((move) => !onBoard(move) && !(move.arrow && moves.some(onBoard)));
		this.moves.replaceChildren(...listed.map((move) => button(move.name, () => this.choose(move.player, move.action))));
	}

	/**
	 * @param {number} player
	 * @param {number} action
	 */
	choose(player, action, onBoard = false) {
		if (!this.open || player !== this.mistake.player) return;
		const { choices, choices_exact: exact, move } = this.mistake;
		const known = choices.find((one) => one.action === action);
		const name = known?.name ?? this.own().find((one) => one.action === action)?.name;
		const cell = document.activeElement?.getAttribute("data-cell");
		this.board.choosable([]); // a choice that was begun on the board ends
		if (!known) {
			this.tries += 1;
			this.again(
				`${name}: the search left this move out, since another one is at least as good${exact ? "" : ", as far as the search saw"}. Try again.`,
				onBoard,
				cell,
			);
		} else if (known.share > LEAST || known.loss <= this.tolerance) {
			this.reply.textContent = exact ? `${name}: a good move.` : `${name}: a good move, as far as the search saw.`;
			this.reveal(this.tries ? "later" : "first");
		} else {
			this.tries += 1;
			this.again(
				`${name}: that gives away ${exact ? "" : "about "}${known.loss.toFixed(2)}. ${name === move ? "It is the move of the game. " : ""}Try again.`,
				onBoard,
				cell,
			);
		}
	}

	/**
	 * Who chose on the board finds the focus where it was.
	 * @param {string} text
	 * @param {boolean} onBoard
	 * @param {string | null | undefined} cell
	 */
	again(text, onBoard, cell) {
		this.reply.textContent = text;
		this.onSay(text);
		this.board.choosable(this.own());
		if (!onBoard) return;
		const targets = [.../** @type {NodeListOf<SVGElement>} */ (this.boardHost.querySelectorAll(".sp-target"))];
		(targets.find((one) => one.dataset.cell === cell) ?? targets[0])?.focus({ preventScroll: true });
	}

	/**
	 * Shows what was best and what was played; `how` the person came here.
	 * @param {"first" | "later" | "shown"} how
	 */
	reveal(how) {
		const { choices, exact, move, loss, player, step } = this.mistake;
		if (!this.open) return;
		this.open = false;
		this.results[this.place] = how;
		const best = choices.filter((one) => one.share > LEAST).sort((one, other) => other.share - one.share);
		const named = best.map((one) => (best.length > 1 ? `${one.name} ${share(one.share)}` : one.name)).join(", ");
		const about = exact ? "" : "about ";
		this.answer.textContent = `${best.length > 1 ? "The best is to mix" : "The best move"}: ${named}. In the game: ${move}, which gave away ${about}${loss.toFixed(2)}.`;
		if (how === "shown") this.reply.textContent = "";
		this.offer([]);
		const picture = this.pictures[step];
		this.board.draw(picture, {
			animate: false,
			arrows: best.flatMap((one) => arrowOf(picture, player, one.action, one.share) ?? []),
		});
		this.showButton.hidden = true;
		this.nextButton.hidden = false;
		this.nextButton.focus({ preventScroll: true });
		this.onSay(`${this.reply.textContent} ${this.answer.textContent}`);
	}

	summary() {
		const counted = (/** @type {string} */ how) => this.results.filter((one) => one === how).length;
		this.count.textContent = "";
		this.whole.hidden = true;
		this.end.hidden = false;
		const said = `Positions: ${this.mistakes.length}. Found at the first try: ${counted("first")}. Found later: ${counted("later")}. Answer shown: ${counted("shown")}.`;
		this.end.replaceChildren(
			element("p", { class: "lead" }, said),
			element(
				"div",
				{ class: "row" },
				button("Once more", () => this.begin()),
			),
		);
		this.title.focus({ preventScroll: true });
		this.onSay(said);
	}

	close() {
		this.board.destroy();
	}
}
