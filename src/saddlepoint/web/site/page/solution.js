// A solved game: the exact value and both players' strategies of any position, from the file that export/solution.py
// packs. What solvers/general/solution.py does in Python is written here a second time; tests hold the two equal.
//
// The file stays packed: a position's key is looked for by bisection among those of every 64th row, then along the
// distances from there.
import { bytesOf } from "./files.js";
import { Refused } from "./known.js";
import { solved } from "./matrix.js";
import { CHANCE, NO_ACTION, TERMINAL } from "./saddlepoint.js";

const FORMAT = "saddlepoint page solution 1",
	BLOCK = 64, // rows that are walked along at most
	FARTHEST = 2 ** 53; // within a block, so that distances are exact as numbers

/**
 * The solution that a game of this page has, loaded when it is first asked for; null where it has none. `tell` is told
 * how many bytes are there.
 * @param {LoadedGame} game
 * @param {(done: number) => void} [tell]
 * @returns {Promise<Solution | null>}
 */
export async function solutionOf(game, tell) {
	const { solution: about } = game.about;
	if (!about) return null;
	game.solution ??= load(game, about, tell).catch((error) => {
		game.solution = null; // whoever asks next tries again
		throw error;
	});
	return game.solution;
}

/**
 * @param {LoadedGame} game
 * @param {SolutionAbout} about
 * @param {(done: number) => void} [tell]
 */
async function load({ host, texts, row }, about, tell) {
	const packed = await bytesOf(`games/${row.file}.solution`, tell);
	try {
		if (packed.byteLength !== about.bytes || (await digestOf(packed)) !== about.digest) throw Error("another file");
		const found = new Solution(host, texts, await unpacked(packed, about.unpacked));
		// The start is asked for now: so the browser has compiled all when the first move is wanted.
		if (host.node(found.start) !== TERMINAL && !found.at(found.start)) throw Error("no start");
		return found;
	} catch {
		throw new Refused(
			`the solution of ${row.title} is damaged, so nothing is played from it: load the page again, or export it anew`,
			500,
		);
	}
}

/**
 * The SHA-256 of bytes in hexadecimal. A page that came by plain HTTP cannot compute it; there the checksum of the
 * stream and the counts must do.
 * @param {ArrayBuffer} bytes
 */
async function digestOf(bytes) {
	if (!globalThis.crypto?.subtle) return null;
	const found = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
	return Array.from(found, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The bytes that were compressed: so many, else an error.
 * @param {ArrayBuffer} packed
 * @param {number} size
 */
async function unpacked(packed, size) {
	const all = new Uint8Array(size),
		stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
	let done = 0;
	const reader = stream.getReader();
	for (let part = await reader.read(); !part.done; part = await reader.read()) {
		all.set(part.value, done); // more than was promised does not fit, and is an error
		done += part.value.length;
	}
	if (done !== size) throw Error("too short");
	return all;
}

/** @type {(words: string[]) => bigint[]} */
const wide = (words) => words.map((word) => BigInt(`0x${word}`));

export class Solution {
	/** @type {bigint[]} */ firsts = []; // the key of the first row of each block
	/** @type {number[]} */ starts = []; // and where the distances after it begin
	/** @type {number[]} */ rows = []; // and its number

	/**
	 * @param {EngineGame} host
	 * @param {Texts} texts
	 * @param {Uint8Array} bytes
	 */
	constructor(host, texts, bytes) {
		const end = bytes.indexOf(10);
		this.header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
		const { format, positions, keys, values, width } = this.header;
		if (format !== FORMAT || end + 1 + keys + positions * width + 8 * values !== bytes.length)
			throw Error("other sizes");
		this.host = host;
		this.texts = texts;
		this.memory = host.room(8 * (host.about.words + 3));
		this.room = [host.room(8 * host.about.words), host.room(8 * host.about.words)];
		this.start = BigUint64Array.from(wide(this.header.start));
		this.base = wide(this.header.base);
		this.mask = wide(this.header.mask);
		this.shift = this.header.shift.map(BigInt);
		this.keys = bytes.subarray(end + 1, end + 1 + keys);
		this.places = bytes.subarray(end + 1 + keys, end + 1 + keys + positions * width);
		this.values = joined(bytes.subarray(bytes.length - 8 * values), values);
		this.index();
	}

	/** Notes where the blocks begin, and looks whether there are as many keys as were promised, each with a value. */
	index() {
		const { keys } = this;
		let at = 0,
			row = 0,
			far = 0, // from the first key of the block
			first = 0n;
		for (; at < keys.length; row += 1) {
			let part = keys[at] & 127,
				weight = 1;
			const from = at;
			while (keys[at++] > 127) part += (keys[at] & 127) * (weight *= 128);
			if (part >= FARTHEST || far + part >= FARTHEST || row % BLOCK === 0) {
				first += BigInt(far) + exactly(keys, from, at);
				far = 0;
				this.firsts.push(first);
				this.starts.push(at);
				this.rows.push(row);
			} else far += part;
		}
		if (row !== this.header.positions || at !== keys.length) throw Error("other keys");
		this.rows.push(row);
		while (row--) if (!Number.isFinite(this.value(row))) throw Error("no value");
	}

	/**
	 * The number of a kept position, whose words begin `from` there; -1 where there is none.
	 * @param {State} words
	 * @param {number} from
	 */
	place(words, from = 0) {
		const { base, mask, shift, firsts, starts, rows, keys } = this;
		let key = 0n;
		for (let k = 0; k < base.length; k += 1) {
			if (words[from + k] === base[k]) continue;
			const distance = BigInt.asUintN(64, words[from + k] - base[k]);
			if (distance > mask[k]) return -1;
			key |= distance << shift[k];
		}
		let low = 0,
			high = firsts.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (firsts[middle] <= key) low = middle + 1;
			else high = middle;
		}
		if (low === 0) return -1;
		const wanted = key - firsts[low - 1],
			last = rows[low];
		if (wanted >= BigInt(FARTHEST)) return -1;
		const far = Number(wanted);
		let at = starts[low - 1],
			row = rows[low - 1],
			here = 0;
		while (here < far && ++row < last) {
			let weight = 1;
			here += keys[at] & 127;
			while (keys[at++] > 127) here += (keys[at] & 127) * (weight *= 128);
		}
		return here === far && row < last ? row : -1;
	}

	/** @param {number} row */
	value(row) {
		const { positions, width } = this.header;
		let number = 0;
		for (let k = width - 1; k >= 0; k -= 1) number = 256 * number + this.places[k * positions + row];
		return this.values[number];
	}

	/**
	 * What a rule writes: the position, and the numbers behind it.
	 * @param {string} rule
	 * @param {State} state
	 * @returns {{ after: State, bits: DataView }}
	 */
	ruled(rule, state) {
		const { host, memory } = this,
			{ words } = host.about;
		host.code[rule](host.put(state), memory);
		return {
			after: new BigUint64Array(host.memory.buffer, memory, words).slice(),
			bits: new DataView(host.memory.buffer, rule === "bounds" ? memory : memory + 8 * words),
		};
	}

	/**
	 * The position that is kept for one that is not ended; it is worth score + value, or score - value where the players
	 * are exchanged.
	 * @param {State} state
	 */
	kept(state) {
		if (!this.header.folded) return { kept: state, exchanged: false, score: 0 };
		const { after, bits } = this.ruled("fold", state);
		return { kept: after, exchanged: bits.getBigUint64(0, true) !== 0n, score: bits.getFloat64(8, true) };
	}

	/**
	 * The position without its limit of moves, where the game was solved so.
	 * @param {State} state
	 */
	asSolved(state) {
		const { clock } = this.header;
		if (clock < 0 || state[clock] === this.start[clock]) return state;
		const found = state.slice();
		found[clock] = this.start[clock];
		return found;
	}

	/**
	 * The value of a position that is over, decided or kept; null of another one.
	 * @param {State} state
	 * @returns {number | null}
	 */
	keptValue(state) {
		const { host, header } = this;
		if (host.node(state) === TERMINAL) return host.result(state);
		if (header.bounds) {
			const { bits } = this.ruled("bounds", state);
			if (bits.getFloat64(0, true) === bits.getFloat64(8, true)) return bits.getFloat64(0, true);
		}
		const { kept, exchanged, score } = this.kept(state),
			row = this.place(kept);
		if (row < 0) return null;
		return exchanged ? score - this.value(row) : score + this.value(row);
	}

	/**
	 * Player 0's expected result from a position; null of one that cannot come about from the start that was solved.
	 * @param {State} given
	 * @returns {number | null}
	 */
	valueOf(given) {
		const state = this.asSolved(given),
			value = this.keptValue(state);
		if (value !== null || !this.header.told || this.host.node(state) === CHANCE) return value;
		const matrix = this.matrix(state, this.choices(state)); // a choice after chance, which is not kept
		return matrix && solved(this.host, matrix).value;
	}

	/**
	 * Both players' legal actions, or chance's outcomes; NO_ACTION for who has none.
	 * @param {State} state
	 */
	choices(state) {
		const { host } = this;
		if (host.node(state) === CHANCE) return [host.outcomes(state).map(([outcome]) => outcome), [NO_ACTION]];
		return [0, 1].map((player) => {
			const own = host.legal(state, player);
			return own.length ? own : [NO_ACTION];
		});
	}

	/**
	 * What follows of joint actions from a position on: over or decided, or kept, else null.
	 * @param {State} state
	 * @returns {(row: number, column: number) => number | null}
	 */
	after(state) {
		const { host, memory, header, start } = this,
			[place, work] = this.room;
		new BigUint64Array(host.memory.buffer, place, state.length).set(state);
		const clock = BigInt(header.clock),
			still = start[header.clock] ?? 0n;
		let words = new BigUint64Array(host.memory.buffer, memory, state.length + 3),
			floats = new Float64Array(host.memory.buffer, memory, 3);
		return (row, column) => {
			host.code.followed(place, BigInt(row), BigInt(column), clock, still, work, memory);
			if (words.buffer !== host.memory.buffer) {
				words = new BigUint64Array(host.memory.buffer, memory, state.length + 3);
				floats = new Float64Array(host.memory.buffer, memory, 3);
			}
			if (words[0]) return floats[2];
			const found = this.place(words, 3);
			if (found < 0) return null;
			return words[1] ? floats[2] - this.value(found) : floats[2] + this.value(found);
		};
	}

	/**
	 * The values after all joint actions; null where one is not known.
	 * @param {State} state
	 * @param {number[][]} choices
	 * @returns {number[][] | null}
	 */
	matrix(state, [rows, columns]) {
		const isTold = this.header.told && this.host.node(state) === CHANCE,
			after = this.after(state);
		/** @type {number[][]} */
		const found = [];
		for (const row of rows) {
			found.push([]);
			for (const column of columns) {
				const value = isTold ? this.valueOf(this.host.next(state, row, column)) : after(row, column);
				if (value === null) return null;
				found[found.length - 1].push(value);
			}
		}
		return found;
	}

	/**
	 * Value, matrix and strategies of a position that is not over; null of one that cannot come about from the start that
	 * was solved.
	 * @param {State} given
	 * @returns {SolvedStage | null}
	 */
	at(given) {
		const state = this.asSolved(given),
			value = this.valueOf(state),
			choices = this.choices(state),
			matrix = value === null ? null : this.matrix(state, choices);
		if (value === null || matrix === null) return null;
		const strategies = this.host.node(state) === CHANCE ? [new Map(), new Map()] : this.strategies(state, matrix);
		return { value, choices, matrix, strategies };
	}

	/**
	 * An equilibrium of the stage; of an image that of the position that is kept.
	 * @param {State} state
	 * @param {number[][]} matrix
	 * @returns {Mixtures}
	 */
	strategies(state, matrix) {
		if (this.header.folded) {
			const bare = this.ruled("without_score", state).after,
				plain = this.ruled("relabelled", bare).after,
				{ kept, exchanged } = this.kept(state);
			if (!same(plain, bare)) return this.relabelled(bare, plain);
			if (!same(kept, bare)) return this.renamed(bare, kept, exchanged);
		}
		const { x, y } = solved(this.host, matrix),
			{ least } = this.header;
		return [x, y].map((weights, player) => {
			const own = this.choices(state)[player],
				some = weights.map((one) => (one < least ? 0 : one)),
				sum = least ? some.reduce((all, one) => all + one, 0) : 1;
			return new Map(own[0] === NO_ACTION ? [] : own.map((action, k) => [action, some[k] / sum]));
		});
	}

	/** @param {State} state */
	ofKept(state) {
		const matrix = this.matrix(state, this.choices(state));
		if (!matrix) throw Error("a position that follows from a kept one is missing");
		return this.strategies(state, matrix);
	}

	/**
	 * The strategies of the position that this one becomes: each player's k-th action is that one's k-th.
	 * @param {State} state
	 * @param {State} plain
	 */
	relabelled(state, plain) {
		const there = this.ofKept(plain);
		return there.map((mixture, player) => {
			const others = this.host.legal(plain, player);
			return new Map(this.host.legal(state, player).map((action, k) => [action, mixture.get(others[k]) ?? 0]));
		});
	}

	/**
	 * @param {State} state
	 * @param {State} kept
	 * @param {boolean} exchanged
	 */
	renamed(state, kept, exchanged) {
		const there = this.ofKept(kept),
			image = this.texts.images(state).find(([one, , , swap]) => swap === exchanged && same(one, kept));
		if (!image) throw Error("a position folds to one that its symmetries do not list");
		return [0, 1].map((player) => {
			const names = /** @type {number[]} */ (image[1 + player]),
				mixture = there[exchanged ? 1 - player : player];
			return new Map(this.host.legal(state, player).map((action) => [action, mixture.get(names[action]) ?? 0]));
		});
	}
}

/** @type {(one: State, other: State) => boolean} */
const same = (one, other) => one.every((word, k) => word === other[k]);

/**
 * A number of a column of distances as it is, however large.
 * @param {Uint8Array} keys
 * @param {number} from
 * @param {number} to
 */
function exactly(keys, from, to) {
	let found = 0n;
	for (let at = to - 1; at >= from; at -= 1) found = (found << 7n) | BigInt(keys[at] & 127);
	return found;
}

/**
 * Floats of which the lowest bytes stand first, then the next ones.
 * @param {Uint8Array} planes
 * @param {number} count
 */
function joined(planes, count) {
	const bytes = new Uint8Array(8 * count);
	for (let k = 0; k < 8; k += 1) for (let one = 0; one < count; one += 1) bytes[8 * one + k] = planes[k * count + one];
	return new Float64Array(bytes.buffer);
}
