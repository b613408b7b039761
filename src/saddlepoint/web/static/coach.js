// Hints in the first rounds of a first game: one line above the board. What was shown is remembered in this browser, by
// game.
import { button, element } from "./dom.js";
import { inSentence } from "./game.js";
import { keep, kept } from "./state.js";

const ROUNDS = 3; // of a game that have a hint
const NEVER = "*"; // instead of a game's name: no more of them, in no game

/** @typedef {(game: import("./game.js").Game, player: number, moves: Move[], names: string[]) => string} Hint */

export class Coach {
	/**
	 * name: of the game; asked: whether somebody plays it here. node: the line, or null where there is nothing to say.
	 * @param {string} name
	 * @param {boolean} asked
	 */
	constructor(name, asked) {
		this.name = name;
		this.round = Math.min(ROUNDS, Number(kept("hints", {})[name]) || 0);
		const wanted = asked && this.round < ROUNDS && !kept("hints", {})[NEVER];
		this.text = element("p", { role: "status" });
		this.node = wanted
			? element(
					"div",
					{ class: "coach" },
					this.text,
					button(
						"No more tips",
						() => {
							this.remember(NEVER, true);
							this.node?.remove();
							this.node = null;
						},
						{ class: "quiet" },
					),
				)
			: null;
	}

	get speaks() {
		return this.node !== null && this.round < ROUNDS;
	}

	/**
	 * Says the hint of this round; game: it waits for `player`, who chooses among `moves`; names: what the two are
	 * called.
	 * @type {(...about: Parameters<Hint>) => void}
	 */
	say(game, player, moves, names) {
		if (!this.speaks) return;
		const text = [first, second, third][this.round](game, player, moves, names);
		if (this.text.textContent !== text) this.text.textContent = text; // else it would be spoken again
	}

	/** The person has chosen: the next round has the next hint. */
	chosen() {
		if (!this.speaks) return;
		this.round += 1;
		this.remember(this.name, this.round);
	}

	/**
	 * Shows the line while it has something to say. It keeps its place, so that the board does not move.
	 * @param {boolean} finished
	 */
	rest(finished) {
		this.node?.classList.toggle("done", finished || !this.speaks || !this.text.textContent);
	}

	/**
	 * @param {string} name
	 * @param {number | boolean} value
	 */
	remember(name, value) {
		keep("hints", { ...kept("hints", {}), [name]: value });
	}
}

/**
 * How it is played: at the same time, or in turn.
 * @type {Hint}
 */
function first(game, player, moves, names) {
	const other = names[1 - player];
	const both = game.last.to_act.length === 2;
	const told = !both
		? `${names[player] === "You" ? "You move" : `${names[player]} moves`} now, then it is ${other}'s turn.`
		: names.includes("You")
			? `You and ${other} choose at the same time. Neither sees the other's choice.`
			: `Both choose before anything is shown. ${other} looks away now.`;
	return `${told} ${howTo(game, moves)}`;
}

/**
 * What was played.
 * @type {Hint}
 */
function second(game, player, moves, names) {
	const at = game.positions.findLastIndex((one, place) => place && game.positions[place - 1].node !== "chance");
	const played = game.positions[at]?.names;
	if (!played) return first(game, player, moves, names);
	const done = [0, 1]
		.filter((one) => played[one])
		.map((one) => `${inSentence(names[one])} chose ${played[one]}`)
		.join(", ");
	const told = `${done[0].toUpperCase()}${done.slice(1)}.`;
	return game.positions[at - 1].to_act.length === 2
		? `Now both choices are shown. ${told}`
		: `${told} The list of moves keeps what was played.`;
}

/**
 * Where help is.
 * @type {Hint}
 */
const third = () =>
	"Do you need help? Hint shows a good move. Take back undoes your last one. Rules says how the game is played.";

/**
 * How a move is made here, from the moves that are offered.
 * @type {(game: import("./game.js").Game, moves: Move[]) => string}
 */
function howTo({ last: { picture } }, moves) {
	const touch = matchMedia("(pointer: coarse)").matches;
	const onBoard = moves.filter((move) => picture.width && move.to);
	const press = touch ? "Tap" : "Click";
	const way = !onBoard.length
		? `${press} one of the buttons`
		: onBoard.some((move) => move.start)
			? `${press} what you want to move, then where it goes`
			: `${press} a marked place on the board`;
	return `${way}${moves.some((move) => move.arrow) ? (touch ? ", or swipe over the board" : ", or press an arrow key") : ""}.`;
}
