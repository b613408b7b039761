// A game in progress: its reference, and the positions that the server computed from it.
import { post } from "./api.js";
import { signed } from "./views/numbers.js";

/** The colours of the players, by which they are called where nobody has a name. */
export const COLOURS = ["Blue", "Orange"];

/** @typedef {{ signal?: AbortSignal, names?: string[], onWait?: (wait: Wait | null) => void }} About */

export class Game {
	/**
	 * positions[k] is after k joint moves; names: what the two are called when it is said why it is over.
	 * @param {GameRef} ref
	 * @param {Position[]} positions
	 * @param {Positions} facts
	 * @param {string[]} names
	 */
	constructor(ref, positions, facts, names) {
		this.ref = ref;
		this.positions = positions;
		this.names = names;
		this.turnBased = facts.turn_based;
		this.turnWord = facts.turn_word;
		this.firstTurn = facts.first_turn;
		this.range = facts.range;
		this.ending = facts.ending;
	}

	/**
	 * A new game; seed and start as POST /api/new takes them.
	 * @param {{ game: string, seed?: number | string | null, start?: string | null }} asked
	 * @param {About} [about]
	 */
	static async begin({ game, seed, start }, { signal, names, onWait } = {}) {
		/** @type {{ game: string, seed?: number, start?: string }} */
		const body = { game };
		if (seed !== undefined && seed !== null && seed !== "") body.seed = Number(seed);
		if (start) body.start = start;
		const answer = await post("/api/new", body, { signal, onWait });
		return Game.load({ game: answer.game, start: answer.start, moves: [] }, { signal, names });
	}

	/**
	 * The game that a reference says.
	 * @param {GameRef} ref
	 * @param {About} [about]
	 */
	static async load(ref, { signal, names = COLOURS } = {}) {
		const answer = await post("/api/positions", { ...ref, from: 0, players: names }, { signal });
		return new Game(ref, answer.positions, answer, names);
	}

	/**
	 * `Round 3 of 8`: how many turns were played before a position, of those there are.
	 * @param {number} at
	 */
	turnsAt(at) {
		return turnsOf(this.turnWord, this.positions[at].turn, this.last.turn);
	}

	/** `Round 4`: the turn that is played next. */
	get turn() {
		return `${capital(this.turnWord)} ${this.last.turn + this.firstTurn}`;
	}

	get last() {
		return this.positions[this.positions.length - 1];
	}
	get plies() {
		return this.ref.moves.length;
	}
	get over() {
		return this.last.node === "over";
	}
	/** The player who has won a finished game, or null. */
	get winner() {
		return this.over ? winnerOf(this.last.result, this.range) : null;
	}

	/**
	 * The next joint action: what chance draws, or the answers of `choose(player)` for those to act, asked at once.
	 * @param {(player: number) => number | Promise<number>} choose
	 * @param {AbortSignal} signal
	 * @returns {Promise<Joint>}
	 */
	async nextMove(choose, signal) {
		if (this.last.node === "chance") return [(await post("/api/chance", this.ref, { signal })).outcome, -1];
		/** @type {Joint} */
		const joint = [-1, -1];
		await Promise.all(
			this.last.to_act.map(async (player) => {
				joint[player] = await choose(player);
			}),
		);
		return joint;
	}

	/**
	 * Plays a joint action ([outcome, -1] for chance) and returns the new position.
	 * @param {Joint} joint
	 * @param {AbortSignal} [signal]
	 */
	async play(joint, signal) {
		const ref = { ...this.ref, moves: [...this.ref.moves, joint] };
		const answer = await post("/api/positions", { ...ref, from: ref.moves.length, players: this.names }, { signal });
		signal?.throwIfAborted();
		this.ref = ref;
		this.positions.push(...answer.positions);
		this.ending = answer.ending;
		return this.last;
	}

	/**
	 * Goes on, or back, to these moves of the same start; what is new of them is asked for.
	 * @param {Joint[]} moves
	 * @param {AbortSignal} signal
	 */
	async follow(moves, signal) {
		const differs = moves.findIndex((joint, at) => `${joint}` !== `${this.ref.moves[at]}`);
		const same = differs < 0 ? moves.length : differs;
		if (same < this.plies) this.undo(same);
		if (same === moves.length) return;
		const ref = { ...this.ref, moves };
		const answer = await post("/api/positions", { ...ref, from: same + 1, players: this.names }, { signal });
		this.ref = ref;
		this.positions.push(...answer.positions);
		this.ending = answer.ending;
	}

	/**
	 * Goes back to after `plies` joint moves.
	 * @param {number} plies
	 */
	undo(plies) {
		const { since } = this.ref;
		this.ref = { ...this.ref, moves: this.ref.moves.slice(0, plies), ...(since && { since: Math.min(since, plies) }) };
		this.positions.length = plies + 1;
		this.ending = null;
	}

	/**
	 * The moves of a player in the position now.
	 * @param {number} player
	 */
	movesOf(player) {
		return (this.last.picture.moves || []).filter((move) => (move.player ?? 0) === player);
	}
}

/**
 * `Round 3 of 8`: what a turn is called, how many were played before a position, and how many there are.
 * @param {string} word
 * @param {number} done
 * @param {number} count
 */
export function turnsOf(word, done, count) {
	return `${capital(word)} ${done} of ${count}`;
}

/** @type {(word: string) => string} */
const capital = (word) => word[0].toUpperCase() + word.slice(1);

/**
 * Why a game is over, in sentences, with the names that were given to it: "You ran into your own trail." Of a game that
 * says nothing of it, what its result says.
 * @param {Game} game
 */
export function whyOver({ ending, over, last, turnWord, names }) {
	const said = (ending?.says ?? []).join(" ");
	if (said || !over) return said;
	const turns = `${last.turn} ${turnWord}${last.turn === 1 ? "" : "s"}`;
	return `By the rules the game is over after ${turns}, with ${signed(last.result ?? 0)} for ${inSentence(names[0])}.`;
}

/**
 * Who has won with a result (player 0's utility) of a game whose results have that range; null for a draw, the middle
 * of them.
 * @param {number | null} result
 * @param {Bounds} range
 */
export function winnerOf(result, [low, high]) {
	const middle = (low + high) / 2;
	return result === null || result === middle ? null : result > middle ? 0 : 1;
}

/**
 * How a game ended, in words: its winner, or null; names: what the two are called.
 * @param {number | null} winner
 * @param {string[]} names
 * @param {number | null} [person]
 */
export function verdict(winner, names, person = null) {
	if (winner === null) return "A draw";
	if (person === winner) return "You won";
	if (person === 1 - winner) return "You lost";
	return `${names[winner]} won`;
}

/**
 * What somebody is called within a sentence.
 * @type {(name: string) => string}
 */
export const inSentence = (name) => (name === "You" ? "you" : name);

/** @type {(name: string) => string} */
export const hasWon = (name) => `${name} ${name === "You" ? "have" : "has"} won`;
