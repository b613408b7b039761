// An analysis without a server: the search of a position, and what each alternative is worth, depth after depth by
// turns.
import { CHANCE, NO_ACTION, Searcher, SIMULTANEOUS, TERMINAL } from "./saddlepoint.js";
import { gameOf, lineOf, namesOf, Refused } from "./known.js";
import { solved } from "./matrix.js";
import { review } from "./review.js";

const USUAL_SECONDS = 10,
	LONGEST_LINE = 24,
	LINE_NODES = 2000,
	LINES = 5,
	DEEPEST = 256;

/**
 * Runs one part of what a message asks for, "search" or "alternatives", or a review; `tell` gets {kind, ...}; gives
 * what `done` tells.
 * @param {SentRequest} message
 * @param {string} part
 * @param {(told: EngineMessage) => void} tell
 */
export async function analyse(message, part, tell) {
	if (message.do === "review") return review(message, tell);
	if (message.do !== "analyse") throw new Refused("do must be one of analyse, review, stop");
	const game = await gameOf(message.game),
		{ last: state } = lineOf(game, message);
	if (message.algorithm || message.evaluator || message.overlays?.length)
		throw new Refused("a page without a server has one search of a game, and no overlays");
	if (game.about.analyses[0].quiet && game.host.node(state) === CHANCE)
		throw new Refused("Chance is to move here, which this search leaves out: let chance decide first.", 422);
	if (game.host.node(state) === TERMINAL)
		throw new Refused("the game is over in this position; nothing is left to analyse");
	const seconds = Math.min(Math.max(message.seconds ?? USUAL_SECONDS, 0.001), 60);
	const analysis = new Analysis(game, state, seconds, tell);
	return part === "alternatives" ? new Survey(analysis, game.about.analyses[1]).run() : analysis.run();
}

export class Analysis {
	/** @type {Searcher} */ searcher;
	/** @type {Searcher} */ follower;

	/**
	 * @param {LoadedGame} game
	 * @param {State} state
	 * @param {number} seconds
	 * @param {(told: EngineMessage) => void} tell
	 * @param {AnalysisAbout} about
	 */
	constructor(game, state, seconds, tell, about = game.about.analyses[0]) {
		this.game = game;
		this.host = game.host;
		this.texts = game.texts;
		this.state = state;
		this.tell = tell;
		this.about = about;
		// A search that leaves chance out sees positions in which chance does nothing until players choose again.
		/** @type {(before: State, joint: Joint) => State} */
		this.next = (before, joint) => {
			const after = game.host.next(before, ...joint);
			return about.quiet ? game.host.pastChance(after) : after;
		};
		this.started = performance.now();
		this.until = this.started + 1000 * seconds;
	}

	get left() {
		return (this.until - performance.now()) / 1000;
	}

	run() {
		const {
			host,
			about,
			about: { seat, search },
		} = this;
		this.searcher = new Searcher(host, seat, search);
		this.follower = new Searcher(host, seat, search, this.searcher.table);
		const found = this.searcher.search(
			this.state,
			{ seconds: this.left },
			{
				keepGoing: (iterations) => {
					this.found(iterations[iterations.length - 1], false);
					return this.left > 0;
				},
			},
		);
		const exact = isProven(host, about, this.searcher, found);
		if (found.solved) this.found(found, exact);
		return { reason: exact ? "exact" : this.left > 0 ? "depth" : "time" };
	}

	counters() {
		const { searcher } = this,
			seconds = (performance.now() - this.started) / 1000,
			nodes = searcher.ws.get("nodes");
		return {
			nodes,
			nodes_per_second: Math.round(nodes / Math.max(seconds, 1e-9)),
			table_hits: searcher.ws.get("table_hits"),
			leaves: searcher.ws.get("leaves"),
			seconds: Math.round(1000 * seconds) / 1000,
		};
	}

	/**
	 * Tells a finished depth.
	 * @param {Iteration} one
	 * @param {boolean} exact
	 */
	found(one, exact) {
		const {
			about: { utilities: range },
		} = this.game;
		/** @type {(player: number) => (share: [number, number]) => Share} */
		const named =
			(player) =>
			([action, share]) => [action, this.texts.actionName(this.state, player, action), share];
		const noted = this.about.quiet ? [] : this.searcher.line(this.state);
		const line = noted.length ? noted : this.follow(this.state, one.strategies, one.depth);
		this.tell({
			kind: "search",
			...this.counters(),
			depth: one.depth,
			value: one.value,
			bound: this.about.bound,
			bounds: exact ? [one.value, one.value] : range,
			without_chance: this.about.quiet,
			search: this.about.said,
			exact,
			plies: one.plies,
			strategies: one.strategies.map((mixture, player) => [...mixture].sort((a, b) => b[1] - a[1]).map(named(player))),
			...this.lineJson(line),
		});
	}

	/**
	 * The likeliest joint actions from a position on, looked up in the table while that takes few nodes.
	 * @param {State} state
	 * @param {Mixtures} strategies
	 * @param {number} depth
	 */
	follow(state, strategies, depth) {
		const { host } = this;
		/** @type {Joint[]} */
		const line = [];
		let nodes = LINE_NODES;
		for (let left = depth; left > 0 && line.length < LONGEST_LINE;) {
			const node = host.node(state);
			if (node === TERMINAL) break;
			/** @type {Joint} */
			let joint;
			if (node === CHANCE) {
				joint = [host.outcomes(state).reduce((best, one) => (one[1] > best[1] ? one : best))[0], NO_ACTION];
			} else {
				if (line.length) {
					if (nodes <= 0 || this.left <= 0) break;
					const looked = this.follower.search(state, { depth: left, nodes, seconds: this.left }, { deepen: false });
					nodes -= looked.nodes;
					if (looked.depth !== left && !looked.solved) break;
					({ strategies } = looked);
				}
				joint = [likeliest(strategies[0]), likeliest(strategies[1])];
				if (joint.every((action) => action === NO_ACTION)) break;
				left -= 1;
			}
			const acting = node === CHANCE ? null : host.toAct(state);
			if (acting && [0, 1].some((player) => acting.includes(player) !== (joint[player] !== NO_ACTION))) break;
			line.push(joint);
			state = this.next(state, joint);
		}
		return line;
	}

	/**
	 * @param {Joint[]} line
	 * @returns {FoundLine}
	 */
	lineJson(line) {
		let { state } = this;
		const names = line.map((joint) => {
			const told =
				this.host.node(state) === CHANCE
					? [this.texts.outcomeName(state, joint[0]), null]
					: namesOf(this.game, state, joint);
			state = this.next(state, joint);
			return told;
		});
		return { line: names, line_actions: line };
	}
}

/**
 * @typedef {{ value: number, exact: boolean }} Found of a position
 * @typedef {Found & { state: State, found: Found | null }} Cell of the matrix: what was found at the last finished depth, and what since
 */

/** What each alternative is worth: the search of every position that one move leads to. */
export class Survey {
	/** @type {number[]} */ rows;
	/** @type {number[]} */ columns;
	/** @type {number[]} */ weights = []; // of what chance draws
	/** @type {number} */ value;
	/** @type {[number[], number[]] | null} */ mixtures = null;
	/** @type {Searcher} */ searcher;

	/**
	 * @param {Analysis} analysis
	 * @param {AnalysisAbout} about
	 * @param {number[][] | null} [both] what each player chooses from where both do; without it what is worth searching
	 */
	constructor(analysis, about, both = null) {
		const { host } = analysis,
			{ state } = analysis;
		this.analysis = analysis;
		this.host = host;
		this.about = about;
		this.finished = 0;
		this.settled = false;
		this.node = host.node(state);
		if (this.node === CHANCE) {
			const outcomes = host.outcomes(state);
			[this.rows, this.columns, this.weights] = [
				outcomes.map(([outcome]) => outcome),
				[NO_ACTION],
				outcomes.map(([, odds]) => odds),
			];
		} else if (this.node === SIMULTANEOUS) {
			[this.rows, this.columns] = both ?? [0, 1].map((player) => host.worthSearching(state, player));
		} else {
			const actions = host.legal(state, this.node);
			[this.rows, this.columns] = this.node === 0 ? [actions, [NO_ACTION]] : [[NO_ACTION], actions];
		}
		/** @type {Cell[][]} */
		this.cells = this.rows.map((row) =>
			this.columns.map((column) => ({
				state: analysis.next(state, [row, column]),
				value: NaN,
				exact: false,
				found: null,
			})),
		);
	}

	run() {
		while (!this.settled && this.analysis.left > 0 && this.finished < DEEPEST && this.to(this.finished + 1));
		return { reason: this.settled ? "exact" : "time" };
	}

	/**
	 * Searches all alternatives to a depth; false where the time was over first.
	 * @param {number} depth
	 */
	to(depth) {
		const below = this.node === CHANCE ? depth : depth - 1;
		for (const cell of this.cells.flat()) {
			if (!cell.exact) {
				if (depth > 1 && this.analysis.left <= 0) return false;
				const found = this.one(cell.state, below, depth > 1 ? { seconds: this.analysis.left } : {});
				if (!found) return false;
				cell.found = found;
			}
		}
		for (const cell of this.cells.flat())
			if (cell.found) Object.assign(cell, { value: cell.found.value, exact: cell.found.exact });
		this.finished = depth;
		this.settled = this.cells.flat().every((cell) => cell.exact);
		this.solve();
		this.told();
		return true;
	}

	/**
	 * @param {State} state
	 * @param {number} depth
	 * @param {SearchLimits} limits
	 * @returns {Found | null}
	 */
	one(state, depth, limits) {
		if (this.host.node(state) === TERMINAL) return { value: this.host.result(state), exact: true };
		this.searcher ??= new Searcher(this.host, this.about.seat, this.about.search);
		const found = this.searcher.search(state, { depth, ...limits }, { deepen: false });
		if (!found.solved && found.depth < depth) return null;
		return { value: found.value, exact: isProven(this.host, this.about, this.searcher, found) };
	}

	solve() {
		const matrix = this.cells.map((row) => row.map((cell) => cell.value));
		if (this.node === CHANCE) {
			this.value = matrix.reduce((sum, [one], k) => sum + one * this.weights[k], 0);
		} else if (this.node === SIMULTANEOUS) {
			const { value, x, y } = solved(this.host, matrix);
			this.value = value;
			this.mixtures = [x, y];
		} else {
			this.value = (this.node ? Math.min : Math.max)(...matrix.flat());
		}
	}

	told() {
		const { analysis, about, node, cells, mixtures } = this,
			{ texts, state } = analysis;
		/** @type {(player: number) => (action: number) => [number, string]} */
		const name = (player) => (action) => [action, texts.actionName(state, player, action)];
		/** @type {AlternativesCommon} */
		const message = {
			kind: "alternatives",
			bound: about.bound,
			without_chance: about.quiet,
			algorithm: about.name,
			search: about.said,
			depth: this.finished,
			finished: this.finished,
			value: this.value,
			proven: this.settled && about.bound === null,
			line: [],
			line_actions: [],
			lines: [],
		};
		if (mixtures) {
			/** @type {Joint} */
			const best = [this.rows[first(mixtures[0])], this.columns[first(mixtures[1])]];
			analysis.tell({
				...message,
				rows: this.rows.map(name(0)),
				columns: this.columns.map(name(1)),
				values: cells.map((row) => row.map((cell) => cell.value)),
				exact: cells.map((row) => row.map((cell) => cell.exact)),
				mixtures,
				lines: this.linesOf(mixtures, best),
				...analysis.lineJson([best]),
			});
		} else {
			const actions = node === 1 ? this.columns : this.rows,
				flat = cells.flat();
			/** @type {MovesMessage["moves"]} */
			const moves = actions.map((action, k) => [
				action,
				node === CHANCE ? texts.outcomeName(state, action) : texts.actionName(state, node, action),
				flat[k].value,
			]);
			if (node !== CHANCE) {
				const order = actions
					.map((_, k) => k)
					.sort((a, b) => (node ? flat[a].value - flat[b].value : flat[b].value - flat[a].value));
				message.lines = order
					.slice(0, LINES)
					.map((k) =>
						this.lineOf(
							node,
							actions[k],
							flat[k].value,
							flat[k].exact,
							node ? [NO_ACTION, actions[k]] : [actions[k], NO_ACTION],
						),
					);
				Object.assign(message, { line: message.lines[0].line, line_actions: message.lines[0].line_actions });
			}
			analysis.tell({ ...message, player: node, moves, exact: flat.map((cell) => cell.exact) });
		}
	}

	/**
	 * @param {number} player
	 * @param {number} action
	 * @param {number} value
	 * @param {boolean} exact
	 * @param {Joint} joint
	 * @returns {BestLine}
	 */
	lineOf(player, action, value, exact, joint) {
		return { player, action, value, exact, bound: this.about.bound, ...this.analysis.lineJson([joint]) };
	}

	/**
	 * Of either player: what it plays most often first, then what is best against the other's mixture.
	 * @param {number[][]} mixtures
	 * @param {Joint} best
	 */
	linesOf([x, y], best) {
		const cells = this.cells.map((row) => row.map((cell) => cell.value));
		const against = [
			cells.map((row) => row.reduce((sum, one, j) => sum + one * y[j], 0)),
			y.map((_, j) => cells.reduce((sum, row, i) => sum + row[j] * x[i], 0)),
		];
		return [0, 1].flatMap((player) => {
			const actions = player ? this.columns : this.rows,
				weights = player ? y : x,
				values = against[player];
			const order = actions
				.map((_, k) => k)
				.sort(
					(a, b) => round(weights[b]) - round(weights[a]) || (player ? values[a] - values[b] : values[b] - values[a]),
				);
			return order.slice(0, LINES).map((k) => {
				const exact = player ? this.cells.every((row) => row[k].exact) : this.cells[k].every((cell) => cell.exact);
				return this.lineOf(
					player,
					actions[k],
					values[k],
					exact,
					player ? [best[0], actions[k]] : [actions[k], best[1]],
				);
			});
		});
	}
}

/**
 * Whether a search has proven its value: of one that discounts results only a result at a known distance, or nothing
 * won or lost by anybody.
 * @param {EngineGame} host
 * @param {AnalysisAbout} about
 * @param {Searcher} searcher
 * @param {SearchFound} found
 */
function isProven({ about: { has_chance: hasChance } }, { bound, quiet }, { about: { discount }, ws }, found) {
	if (!found.solved || bound !== null || quiet) return false;
	if (!discount) return true;
	return !hasChance && (found.plies !== null || (found.value === 0 && ws.has("others") && ws.get("others") === 0));
}

/** @type {(share: number) => number} */
const round = (share) => Math.round(1000 * share);
/** @type {(mixture: number[]) => number} */
const first = (mixture) => mixture.indexOf(Math.max(...mixture));

/** @param {Mixture} mixture */
function likeliest(mixture) {
	let best = NO_ACTION,
		most = -1;
	for (const [action, share] of mixture) if (share > most) [best, most] = [action, share];
	return best;
}
