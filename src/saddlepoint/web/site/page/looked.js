// A step of a game looked at move by move, for reviews: algorithms/analysis/alternatives.py and review.py. Tests hold
// the two equal.
import { columnLosses, rowLosses } from "./losses.js";
import { solved } from "./matrix.js";
import { CHANCE, NO_ACTION, SIMULTANEOUS } from "./saddlepoint.js";

const DEEPEST = 256;

/**
 * {value, best, mixtures, loss, depth, exact, after, losses}, as `ReviewedTurn` of Python tells it, mixtures and losses
 * as Maps by action;
 * null where the first depth was not finished. `next` gives the position after a joint action.
 * @param {EngineGame} host
 * @param {(state: State, joint: Joint) => State} next
 * @param {State} state
 * @param {import("./review.js").Judge} means
 * @param {{ depth: number | null, nodes: number | null, seconds: number | null }} limits
 * @param {number[]} played
 */
export function lookedAt(host, next, state, means, limits, played) {
	const survey = new Survey(host, next, state, means, limits, played);
	survey.run();
	return survey.finished ? survey.told(played) : null;
}

class Survey {
	/** @type {number[]} */ rows;
	/** @type {number[]} */ columns;
	/** @type {number[]} */ weights = []; // of what chance draws
	/** @type {number[][]} */ values;
	/** @type {boolean} */ exact;
	/** @type {number} */ value;

	/**
	 * @param {EngineGame} host
	 * @param {(state: State, joint: Joint) => State} next
	 * @param {State} state
	 * @param {import("./review.js").Judge} means
	 * @param {{ depth: number | null, nodes: number | null, seconds: number | null }} limits
	 * @param {number[]} played
	 */
	constructor(host, next, state, means, limits, played) {
		this.host = host;
		this.means = means;
		this.limits = limits;
		this.node = host.node(state);
		this.finished = 0;
		this.nodes = 0;
		this.solution = /** @type {import("./matrix.js").Solution | null} */ (null);
		this.started = performance.now();
		if (this.node === CHANCE) {
			const outcomes = host.outcomes(state);
			this.rows = outcomes.map(([outcome]) => outcome);
			this.columns = [NO_ACTION];
			this.weights = outcomes.map(([, odds]) => odds);
		} else if (this.node === SIMULTANEOUS) {
			[this.rows, this.columns] = [0, 1].map((player) => {
				const own = host.worthSearching(state, player);
				return own.includes(played[player]) ? own : [...own, played[player]];
			});
		} else {
			const actions = host.legal(state, this.node);
			[this.rows, this.columns] = this.node === 0 ? [actions, [NO_ACTION]] : [[NO_ACTION], actions];
		}
		/** @type {{ i: number, j: number, state: State, value: number, exact: boolean, isSettled: boolean }[]} a value is there once its cell was searched */
		this.cells = this.rows.flatMap((row, i) =>
			this.columns.map((column, j) => ({
				i,
				j,
				state: next(state, [row, column]),
				value: NaN,
				exact: false,
				isSettled: false,
			})),
		);
	}

	run() {
		const deepest = Math.min(this.means.about.max_depth, DEEPEST),
			wanted = Math.min(this.limits.depth ?? deepest, deepest);
		for (let depth = 1; depth <= Math.max(1, wanted); depth += 1) {
			if (!this.fill(depth)) return;
			this.solve(depth);
			if (this.cells.every((cell) => cell.isSettled)) return;
		}
	}

	/**
	 * Searches all alternatives to a depth, those that matter most first; whether nothing ended it.
	 * @param {number} depth
	 */
	fill(depth) {
		const { solution } = this;
		const weight = (/** @type {{ i: number, j: number }} */ { i, j }) => (solution ? solution.x[i] + solution.y[j] : 0);
		for (const cell of solution ? [...this.cells].sort((a, b) => weight(b) - weight(a)) : this.cells) {
			if (cell.isSettled) continue;
			const limits = this.rest(depth);
			if (!limits) return false;
			const found = this.means.search(cell.state, limits, false);
			this.nodes += found.nodes;
			if (!found.complete) return false;
			Object.assign(cell, { value: found.value, exact: found.exact, isSettled: found.exact || this.means.ended });
		}
		return true;
	}

	/**
	 * What is left for the next search; null where nothing is. The first depth is always finished.
	 * @param {number} depth
	 */
	rest(depth) {
		const below = this.node === CHANCE ? depth : depth - 1;
		if (depth === 1) return { depth: below };
		const nodes = this.limits.nodes === null ? null : this.limits.nodes - this.nodes;
		const seconds =
			this.limits.seconds === null ? null : this.limits.seconds - (performance.now() - this.started) / 1000;
		return (nodes !== null && nodes <= 0) || (seconds !== null && seconds <= 0)
			? null
			: { depth: below, nodes, seconds };
	}

	/**
	 * What was found is of one depth: another one begins anew.
	 * @param {number} depth
	 */
	solve(depth) {
		const { rows, columns, cells } = this;
		this.finished = depth;
		this.values = rows.map((_, i) => columns.map((__, j) => cells[i * columns.length + j].value));
		this.exact = cells.every((cell) => cell.exact);
		const solution = this.node === CHANCE ? null : solved(this.host, this.values);
		this.solution = solution;
		this.value = solution ? solution.value : this.values.reduce((sum, [one], i) => sum + this.weights[i] * one, 0);
	}

	/** @param {number[]} played */
	told(played) {
		const { node, solution, rows, columns, values, value, exact, finished: depth } = this;
		/** @type {Mixture} */
		const nothing = new Map();
		const after = values[rows.indexOf(played[0])][columns.indexOf(played[1])];
		let best = [NO_ACTION, NO_ACTION],
			mixtures = [nothing, nothing],
			losses = [nothing, nothing];
		if (node === SIMULTANEOUS && solution) {
			const both = [solution.x, solution.y];
			best = [rows, columns].map((own, player) => own[both[player].indexOf(Math.max(...both[player]))]);
			mixtures = [rows, columns].map(
				(own, player) => new Map(own.flatMap((action, k) => (both[player][k] > 0 ? [[action, both[player][k]]] : []))),
			);
			const lost = [rowLosses(values, value, both), columnLosses(values, value, both)];
			losses = [rows, columns].map((own, player) => new Map(own.map((action, k) => [action, lost[player][k]])));
		} else if (node !== CHANCE) {
			const actions = node === 0 ? rows : columns,
				sign = node === 0 ? 1 : -1,
				flat = values.flat();
			best[node] = actions[flat.indexOf((node === 0 ? Math.max : Math.min)(...flat))];
			mixtures[node] = new Map([[best[node], 1]]);
			losses[node] = new Map(actions.map((action, k) => [action, Math.max(0, sign * (value - flat[k]))]));
		}
		const loss = losses.map((own, player) => own.get(played[player]) ?? 0);
		return { value, best, mixtures, loss, depth, exact, after, losses };
	}
}
