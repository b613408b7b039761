// The moves of an analysis, a tree: the game that was played, and variations at any of its moves. A move is a joint
// one, [a0, a1].
//
// As text, in links and files: `g12,(3.1,2.2{why not?}),g3`. `gN` is the next N moves of the game that was played,
// `3.1` another
// move, `(…)` a variation in the place of the move before it, `{…}` a comment on that move; in a comment `\` stands
// before `{`, `}` and
// `\`. Where several moves follow a position the first one written is the main line. Moves of the game that are not
// written come last.

export const MOST = { moves: 1000, comment: 500, link: 12_000, text: 200_000, nested: 100 };

const TOKEN = /(-?\d{1,9})\.(-?\d{1,9})|g(\d{1,5})|([(),])|\{((?:[^\\{}]|\\[\\{}])*)\}/y;

/** @type {(a: Joint, b: Joint) => boolean} */
const same = (a, b) => a.length === b.length && a.every((action, player) => action === b[player]);

/** A move, and the position after it. The root has no move: nobody asks for its `joint`. */
export class Place {
	/** @type {number} */ depth;

	/**
	 * @param {Joint | null} joint
	 * @param {Place | null} before
	 */
	constructor(joint, before) {
		this.joint = /** @type {Joint} */ (joint);
		this.before = before;
		this.next = /** @type {Place[]} */ ([]);
		this.comment = "";
		this.depth = before ? before.depth + 1 : 0;
		this.played = !before; // whether it is of the game that was played
		this.told = /** @type {Branch | null} */ (null); // once the server told it
	}

	/** The moves that lead here. */
	get moves() {
		return this.path.slice(1).map((one) => one.joint);
	}

	/** The places from the start to here. */
	get path() {
		const path = [];
		for (let place = /** @type {Place | null} */ (this); place; place = place.before) path.push(place);
		return path.reverse();
	}

	/** What the move is called. */
	get name() {
		/** @type {(string | number | null)[]} */
		const parts = this.told?.names ?? this.joint ?? [];
		return parts.filter((one) => one !== null && one !== -1).join(" / ");
	}

	/** How many turns were played before the position. */
	get turn() {
		return this.told?.turn ?? this.depth;
	}

	/** @param {Joint} joint */
	after(joint) {
		return this.next.find((one) => same(one.joint, joint)) ?? null;
	}

	/** @param {Place} other */
	isBelow(other) {
		let place = /** @type {Place | null} */ (this);
		while (place && place !== other) place = place.before;
		return Boolean(place);
	}
}

/** @typedef {{ place: Place, before: Place, where: number, count: number }} Removed moves, and how many they are */

export class Tree {
	/** @type {Place} */ at;
	/** @type {Place} */ tip;
	/** @type {Place} */ end;

	/** @param {Joint[]} played */
	constructor(played) {
		this.played = played;
		this.root = this.at = this.tip = new Place(null, null);
		this.tried = 0; // moves that are not of the game
		this.complete();
	}

	/** Puts in the moves of the game that are not there yet. */
	complete() {
		let place = this.root;
		for (const joint of this.played) place = place.after(joint) ?? this.add(place, joint);
		this.end = place; // of the game
	}

	/**
	 * @param {Place} before
	 * @param {Joint} joint
	 */
	add(before, joint) {
		const place = new Place(joint, before);
		place.played = before.played && before.depth < this.played.length && same(joint, this.played[before.depth]);
		if (!place.played) {
			if (this.tried >= MOST.moves)
				throw new Error(`There are ${MOST.moves} moves in the variations, and no more are kept.`);
			this.tried += 1;
		}
		before.next.push(place);
		return place;
	}

	/**
	 * The places from the start over the one shown to the end of its line: the line that one came by, as long as one is
	 * on it.
	 */
	get line() {
		if (!this.tip.isBelow(this.at)) this.tip = this.at;
		const line = this.tip.path;
		for (let [next] = this.tip.next; next; [next] = next.next) line.push(next);
		return line;
	}

	/** The last place of the game on the way to the one shown. */
	get left() {
		let place = this.at;
		while (!place.played && place.before) place = place.before;
		return place;
	}

	/**
	 * To the place at this depth of the line.
	 * @param {number} depth
	 */
	go(depth) {
		const { line } = this;
		this.at = line[Math.max(0, Math.min(Number.isFinite(depth) ? Math.trunc(depth) : line.length, line.length - 1))];
	}

	/**
	 * To the position of the game after so many moves.
	 * @param {number} depth
	 */
	goPlayed(depth) {
		this.at = this.tip = this.end;
		this.go(depth);
	}

	/**
	 * Makes a joint move: the one that is there, or a new variation.
	 * @param {Joint} joint
	 */
	enter(joint) {
		this.at = this.at.after(joint) ?? this.add(this.at, joint);
	}

	back() {
		this.at = this.tip = this.left;
	}

	/**
	 * The variation beside the one shown, so many further, or null.
	 * @param {number} step
	 */
	beside(step) {
		const { before } = this.at;
		return before?.next[before.next.indexOf(this.at) + step] ?? null;
	}

	/**
	 * Takes a move out with all that follows it; answers what `putBack` needs. The game stays.
	 * @param {Place} place
	 * @returns {Removed | null}
	 */
	remove(place) {
		const { before } = place;
		if (place.played || !before) return null;
		const where = before.next.indexOf(place);
		before.next.splice(where, 1);
		const count = [...walk(place)].filter(([what]) => what === "move").length;
		this.tried -= count;
		if (this.at.isBelow(place)) this.at = before;
		if (this.tip.isBelow(place)) this.tip = this.at;
		return { place, before, where, count };
	}

	/** @param {Removed} removed */
	putBack({ place, before, where, count }) {
		before.next.splice(where, 0, place);
		this.tried += count;
		this.at = place;
	}

	/**
	 * Takes over what another tree of the same game has more, and with `go` the place that it is at.
	 * @param {Tree} other
	 * @param {boolean} go
	 */
	take(other, go) {
		const twins = new Map([[other.root, this.root]]);
		for (const one of other.places) {
			const before = one.before && twins.get(one.before);
			const twin = before ? (before.after(one.joint) ?? this.add(before, one.joint)) : this.root;
			twins.set(one, twin);
			twin.told ??= one.told;
			if (one.comment) twin.comment = one.comment;
		}
		if (go) this.at = this.tip = twins.get(other.at) ?? this.root;
	}

	/** @param {Place} place */
	isMain(place) {
		return place.path.every((one) => !one.before || one.before.next[0] === one);
	}

	/**
	 * Makes the line that leads to a place the main one.
	 * @param {Place} place
	 */
	promote(place) {
		for (const one of place.path) {
			const next = one.before?.next ?? [one];
			next.splice(next.indexOf(one), 1);
			next.unshift(one);
		}
		this.tip = this.at;
	}

	/** All places in the order of the text. */
	get places() {
		return [
			this.root,
			...[...walk(this.root.next[0], this.root.next.slice(1))]
				.filter(([what]) => what === "move")
				.map(([, place]) => place),
		];
	}

	/** Whether there is more than the game. */
	get isMore() {
		return this.tried > 0 || this.places.some((place) => place.comment);
	}

	toText() {
		const parts = this.root.comment ? [commentText(this.root)] : [];
		let run = 0;
		const flush = () => {
			if (run) parts.push(`g${run}`);
			run = 0;
		};
		for (const [what, place] of walk(this.root.next[0], this.root.next.slice(1))) {
			if (what === "move" && place.played) run += 1;
			else {
				flush();
				parts.push({ open: "(", close: ")", move: place.joint.join(".") }[what]);
			}
			if (what === "move" && place.comment) {
				flush();
				parts.push(commentText(place));
			}
		}
		flush();
		return parts.join(",").replaceAll("(,", "(").replaceAll(",)", ")").replaceAll(",{", "{");
	}
}

/**
 * ["move", place], and ["open", place] and ["close", place] around a variation that begins with it, in the order of the
 * text.
 * @param {Place | undefined} first
 * @param {Place[]} [others]
 * @returns {Generator<["move" | "open" | "close", Place]>}
 */
export function* walk(first, others = []) {
	for (let place = first, beside = others; place;) {
		yield ["move", place];
		for (const one of beside) {
			yield ["open", one];
			yield* walk(one);
			yield ["close", one];
		}
		beside = place.next.slice(1);
		[place] = place.next;
	}
}

/** @type {(place: Place) => string} */
const commentText = ({ comment }) => `{${comment.replace(/[\\{}]/g, "\\$&")}}`;

/**
 * The tree that a text describes, beside the game that was played; throws an Error with one sentence.
 * @param {string} text
 * @param {Joint[]} played
 */
export function readTree(text, played) {
	const tree = new Tree([]);
	tree.played = played;
	/** @type {(at: number, why: string) => Error} */
	const wrong = (at, why) => new Error(`The variations cannot be read: ${why} at character ${at + 1}.`);
	if (text.length > MOST.text)
		throw new Error(`The variations cannot be read: they are longer than ${MOST.text} characters.`);
	/** @type {Place[]} */
	const open = [];
	let place = tree.root;
	for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
		TOKEN.lastIndex = at;
		const [, first, second, run, mark, comment] = TOKEN.exec(text) ?? [];
		if (TOKEN.lastIndex === 0) throw wrong(at, "there is no move");
		if (first !== undefined) {
			/** @type {Joint} */
			const joint = [Number(first), Number(second)];
			place = place.after(joint) ?? tree.add(place, joint);
		} else if (run !== undefined) {
			for (let moves = Number(run); moves > 0; moves -= 1) {
				if (!place.played || place.depth >= played.length) throw wrong(at, "the game has no such move");
				const joint = played[place.depth];
				place = place.after(joint) ?? tree.add(place, joint);
			}
		} else if (comment !== undefined) {
			if (comment.length > 2 * MOST.comment) throw wrong(at, "there is a comment that is too long");
			place.comment = cleanComment(comment.replace(/\\([\\{}])/g, "$1"));
		} else if (mark === "(") {
			if (!place.before) throw wrong(at, "there is a variation before any move");
			if (open.length >= MOST.nested) throw wrong(at, `more than ${MOST.nested} variations are inside each other`);
			open.push(place);
			place = place.before;
		} else if (mark === ")") {
			const opened = open.pop();
			if (!opened) throw wrong(at, "a variation ends that never began");
			place = opened;
		}
	}
	if (open.length) throw wrong(text.length, "a variation does not end");
	tree.complete();
	tree.at = tree.end;
	return tree;
}

/**
 * A comment as it is kept: one paragraph of a limited length.
 * @type {(text: string) => string}
 */
export const cleanComment = (text) => text.replace(/\s+/g, " ").slice(0, MOST.comment);

/**
 * Moves as a key: `0.1,2.3`.
 * @type {(moves: Joint[]) => string}
 */
export const writeMoves = (moves) => moves.map((joint) => joint.join(".")).join(",");

/**
 * The tree of an address: `t`, else what a file has; `at` is the number of the place, in the order of the text.
 * @param {URLSearchParams} params
 * @param {Joint[]} played
 * @param {string | null} [text]
 */
export function treeOf(params, played, text = null) {
	const written = params.get("t") ?? text;
	const at = Number(params.get("at") ?? NaN);
	if (written === null) {
		const tree = new Tree(played);
		tree.goPlayed(at);
		return tree;
	}
	const tree = readTree(written, played);
	tree.at = tree.places[at] ?? tree.end;
	return tree;
}
