// The positions of a game and of what was tried, by the moves that lead there; asked of the server when they are first
// wanted.

/** @typedef {import("./tree.js").Place} Place */

/** A position, once it is known, and what lies behind it by the move. */
class Known {
	/** @type {Position | null} */ position = null;
	/** @type {Map<string, Known>} */ next = new Map();

	/** @param {Joint} joint */
	after(joint) {
		const key = joint.join("."),
			known = this.next.get(key) ?? new Known();
		this.next.set(key, known);
		return known;
	}
}

/** @typedef {{ range: Bounds, turnBased: boolean, turnWord: string, firstTurn: number }} Told of the game */

export class Places {
	/** @type {Told | undefined} */ told;

	/**
	 * @param {Pick<GameRef, "game" | "start">} source
	 * @param {Context} context
	 */
	constructor({ game, start }, { api }) {
		this.ref = { game, start };
		this.api = api;
		this.root = new Known();
	}

	/** @param {Joint[]} moves */
	at(moves) {
		return this.along(moves)[moves.length];
	}

	/**
	 * The positions from the start over all moves of `line`; null for each that is not known.
	 * @param {Joint[]} line
	 */
	along(line) {
		return this.walk(line).map(({ position }) => position);
	}

	/** @param {Joint[]} line */
	walk(line) {
		let at = this.root;
		const way = [at];
		for (const joint of line) way.push((at = at.after(joint)));
		return way;
	}

	/**
	 * Makes sure that all positions of `line` are known; answers what the server told of the game.
	 * @param {Joint[]} line
	 * @param {AbortSignal} signal
	 */
	async load(line, signal) {
		const way = this.walk(line);
		let from = line.length + 1;
		while (from > 0 && !way[from - 1].position) from -= 1;
		while (from <= line.length) {
			// No more at once than the server gives.
			const upTo = line.slice(0, Math.min(line.length, from + MOST - 1));
			const told = await this.api.post("/api/positions", { ...this.ref, moves: upTo, from }, { signal });
			told.positions.forEach((position, place) => {
				way[from + place].position = position;
			});
			this.told = {
				range: told.range,
				turnBased: told.turn_based,
				turnWord: told.turn_word,
				firstTurn: told.first_turn,
			};
			from += told.positions.length;
		}
		return /** @type {Told} */ (this.told);
	}

	/**
	 * Tells the moves of places on one line from the start their names, as far as their positions are known.
	 * @param {Place[]} line
	 */
	tell(line) {
		const positions = this.along(line.slice(1).map(({ joint }) => joint));
		line.forEach((place, depth) => {
			const here = positions[depth];
			if (place.told || !here) return;
			place.told = {
				names: here.names ?? null,
				chance: depth > 0 && positions[depth - 1]?.node === "chance",
				turn: here.turn,
			};
		});
	}

	/**
	 * Asks for the names of all moves of a tree; throws where one of them is not legal. The game's own positions are
	 * known.
	 * @param {import("./tree.js").Tree} tree
	 * @param {AbortSignal} signal
	 */
	async name(tree, signal) {
		this.tell(tree.end.path);
		const tried = tree.places.filter((place) => !place.played);
		if (!tried.length) return;
		/** @type {Map<Place | null, number>} */
		const numbers = new Map(tried.map((place, at) => [place, tree.played.length + 1 + at]));
		const branches = tried.map(({ before, joint }) => [before?.played ? before.depth : numbers.get(before), ...joint]);
		const told = await this.api.post("/api/branches", { ...this.ref, moves: tree.played, branches }, { signal });
		tried.forEach((place, at) => {
			place.told = told.branches[at];
		});
	}
}

const MOST = 500; // positions in one answer
