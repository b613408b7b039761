// Searches that favour neither player, for reviews: what algorithms/analysis/fair.py does, with searches in
// WebAssembly, and what a
// search proves of the game's value (algorithms/discounting.py, and `bounds` of the algorithms). Tests hold the two
// equal.
import { CHANCE, Searcher, TERMINAL } from "./saddlepoint.js";

const ROUNDING = 1e-12;

/** A search of positions of which the mean is taken: one, or one for each player that commits first. */
/**
 * @typedef {{
 *   value: number, bounds: Bounds, strategies: Mixtures, depth: number, exact: boolean, complete: boolean, nodes:
 *   number,
 *   iterations: { depth: number, value: number }[],
 * }} OneFound by one of the searches
 */

export class Means {
	/**
	 * `about` says which search it is, and of which form of the game.
	 * @param {EngineGame} host
	 * @param {ReviewAbout} about
	 */
	constructor(host, about) {
		const { serialised } = host.about.searches[about.search],
			first = new Searcher(host, 0, about.search);
		this.host = host;
		this.about = about;
		this.nodes = 0;
		this.age = 0;
		this.searchers = serialised ? [first, new Searcher(host, 1, about.search, first.table)] : [first];
		this.ends = this.searchers.map(() => false);
	}

	/** Whether the last search's value rests on ended games alone: no deeper one finds another. */
	get ended() {
		return this.ends.every(Boolean);
	}

	/**
	 * The mean; the searches share the limits of nodes and seconds.
	 * @param {State} state
	 * @param {SearchLimits} limits
	 * @param {boolean} deepen
	 */
	search(state, { depth = null, nodes = null, seconds = null }, deepen) {
		const share = 1 / this.searchers.length;
		/** @type {OneFound[]} */
		const found = [];
		const limits = {
			depth,
			nodes: nodes === null ? null : Math.max(1, Math.trunc(nodes * share)),
			seconds: seconds === null ? null : seconds * share,
		};
		for (let k = 0; k < this.searchers.length; k += 1) {
			found.push(this.one(k, state, limits, deepen));
			if (found[k].exact && found[k].depth > 0) break;
		}
		const first = found[0],
			last = found[found.length - 1],
			all = found.reduce((sum, one) => sum + one.nodes, 0);
		this.nodes += all;
		const reached = Math.min(...found.map((one) => one.depth)),
			exact = last.exact || first.bounds[0] === last.bounds[1];
		const at = (/** @type {OneFound} */ one) =>
			exact ? one.value : (one.iterations.find((each) => each.depth === reached)?.value ?? one.value);
		const bounds = last.exact ? [last.value, last.value] : [at(first), at(last)];
		return {
			value: (bounds[0] + bounds[1]) / 2,
			bounds,
			depth: reached,
			exact,
			complete: found.every((one) => one.complete),
			nodes: all,
			best: [first.strategies[0], last.strategies[1]],
		};
	}

	/**
	 * @param {number} k
	 * @param {State} state
	 * @param {SearchLimits} limits
	 * @param {boolean} deepen
	 * @returns {OneFound}
	 */
	one(k, state, limits, deepen) {
		const { host, about } = this,
			searcher = this.searchers[k],
			range = host.about.utilities;
		/** @type {(at: State, exact: boolean) => OneFound} */
		const over = (at, exact) => ({
			value: host.result(at),
			bounds: [host.result(at), host.result(at)],
			strategies: [new Map(), new Map()],
			depth: 0,
			exact,
			complete: true,
			nodes: 0,
			iterations: [],
		});
		if (host.node(state) === TERMINAL) return over(state, true);
		if (about.quiet && host.node(state) === CHANCE) {
			state = host.pastChance(state);
			if (host.node(state) === TERMINAL) return over(state, false);
		}
		searcher.age = this.age; // one table has one age
		const found = searcher.search(state, limits, { deepen });
		this.age = searcher.age;
		this.ends[k] = found.solved;
		const isStopped = searcher.ws.get("stop") !== 0,
			wanted = Math.min(limits.depth ?? searcher.about.deepest, searcher.about.deepest);
		const within = (/** @type {number} */ one) => Math.min(Math.max(one, range[0]), range[1]);
		const [least, most] = proven(searcher, found, range);
		/** @type {Bounds} */
		const bounds = [within(least), within(most)];
		const exact = bounds[0] === bounds[1];
		return {
			value: exact ? bounds[0] : found.value,
			bounds,
			strategies: found.strategies,
			depth: found.depth,
			exact,
			complete: !isStopped && (found.solved || found.depth >= wanted),
			nodes: found.nodes,
			iterations: found.iterations,
		};
	}
}

/**
 * What a search's value proves of the game's value: a range.
 * @type {(searcher: import("./saddlepoint.js").Searcher, found: SearchFound, range: Bounds) => Bounds}
 */
function proven(searcher, { raw, solved }, [low, high]) {
	const {
		ws,
		seat,
		about: { family, serialised, proof },
	} = searcher;
	if (!solved || proof.never) return [low, high];
	if (family !== "turns" && !serialised) return [raw, raw];
	const isOneSided = serialised && (proof.one_sided || ws.get("joint") !== 0);
	if (isOneSided && proof.flip) return [low, high];
	const [least, most] = origin(raw, proof, ws, [low, high]);
	if (!isOneSided) return [least, most];
	return seat === 0 ? [least, high] : [low, most];
}

/**
 * The range of the game's value, by one that is made of results of which at least a share was left.
 * @type {(value: number, proof: SearchAbout["proof"], ws: EngineRecord, range: Bounds) => Bounds}
 */
function origin(value, { share, has_chance: hasChance }, ws, [low, high]) {
	if (share === 1) return [value, value];
	if (share <= 0) return [low, high];
	if (hasChance) {
		const lost = (1 - share) * Math.max(Math.abs(low), Math.abs(high));
		return [value - lost, value + lost];
	}
	const slack = ROUNDING * Math.abs(value),
		least = Math.min(value / share, value) - slack,
		most = Math.max(value / share, value) + slack;
	const inside = new Set([ws.get("worst"), 0, ws.get("best")].filter((result) => least <= result && result <= most));
	const [only] = inside;
	return inside.size === 1 && !ws.get("others") ? [only, only] : [least, most];
}
