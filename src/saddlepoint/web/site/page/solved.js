// What the page tells of a solved game: the answer of its strongest player, an analysis and a review, all from the
// solution. Each gives null for a position that the solution does not have: then a search does it.
import { Analysis, Survey } from "./analysis.js";
import { gameOf, lineOf, namesOf } from "./known.js";
import { review } from "./review.js";
import { CHANCE, NO_ACTION, TERMINAL } from "./saddlepoint.js";
import { solutionOf } from "./solution.js";

/** @typedef {import("./solution.js").Solution} Solution */

const PROVEN = { search: 0, seat: 0, name: "solution", said: "The solution of the game", bound: null, quiet: false },
	LONGEST_LINE = 12;

/**
 * The answer of `/api/answer` for the strongest level: an action drawn from the mixture.
 * @param {{ game: string, start?: string | null, moves?: Joint[], player?: number, level?: string, by?: string }} asked
 * @returns {Promise<Answer | null>}
 */
export async function solvedAnswer(asked) {
	const begun = performance.now(),
		game = await gameOf(asked.game),
		best = game.about.levels.at(-1);
	if (!game.about.solution || ![best?.name, best?.spec].includes(asked.level ?? asked.by)) return null;
	const solution = await solutionOf(game),
		{ last: state } = lineOf(game, asked),
		player = asked.player === 1 ? 1 : 0;
	if (!solution || !game.host.toAct(state).includes(player)) return null;
	const stage = solution.at(state);
	if (!stage) return null;
	const mixture = [...stage.strategies[player]];
	let point = Math.random();
	const [action] = mixture.find(([, share]) => (point -= share) < 0) ?? mixture.reduce(likelier);
	const name = (/** @type {number} */ one) => game.texts.actionName(state, player, one);
	const others = stage.strategies.map((one) => (one.size ? [...one].reduce(likelier)[0] : NO_ACTION));
	const joint = others.map((other, seat) => (seat === player ? action : other));
	return {
		action,
		name: name(action),
		seconds: (performance.now() - begun) / 1000,
		value: stage.value,
		depth: null,
		nodes: null,
		strategy: mixture.map(([one, share]) => [one, name(one), share]),
		line: [namesOf(game, state, joint).filter(Boolean).join(" ")],
	};
}

/**
 * Tells what an analysis or a review asks for, and gives what the last message says.
 * @param {SentRequest} message
 * @param {(told: EngineMessage) => void} tell
 */
export async function fromSolution(message, tell) {
	if (message.do === "stop") return null;
	const game = await gameOf(message.game);
	if (!game.about.solution || message.algorithm || message.evaluator) return null;
	const { states, last } = lineOf(game, message),
		solution = await solutionOf(game);
	if (!solution) return null;
	if (message.do === "review") {
		const isKnown = states.every((state) => solution.valueOf(state) !== null);
		return isKnown ? review(message, tell, new Values(game, solution)) : null;
	}
	if (message.overlays?.length || game.host.node(last) === TERMINAL || !solution.at(last)) return null;
	return new SolvedSurvey(game, last, solution, tell).run();
}

/** The alternatives of a position, each with its exact value, and a message as of a search that has proven it. */
class SolvedSurvey extends Survey {
	/**
	 * @param {LoadedGame} game
	 * @param {State} state
	 * @param {Solution} solution
	 * @param {(told: EngineMessage) => void} tell
	 */
	constructor(game, state, solution, tell) {
		super(new Analysis(game, state, Infinity, tell, PROVEN), PROVEN, solution.choices(state));
		this.solution = solution;
		this.stage = /** @type {SolvedStage} */ (solution.at(state));
		const values = this.stage.matrix.flat();
		for (const [k, cell] of this.cells.flat().entries()) Object.assign(cell, { value: values[k], exact: true });
	}

	run() {
		const { analysis, stage, solution } = this,
			{ texts, state, tell } = analysis;
		tell({
			kind: "search",
			...{ depth: 0, nodes: 0, nodes_per_second: 0, table_hits: null, leaves: 0, seconds: 0, plies: null },
			value: stage.value,
			bound: null,
			bounds: [stage.value, stage.value],
			without_chance: false,
			search: PROVEN.said,
			exact: true,
			strategies: stage.strategies.map((mixture, player) =>
				[...mixture]
					.sort((one, other) => other[1] - one[1])
					.map(([action, share]) => [action, texts.actionName(state, player, action), share]),
			),
			...analysis.lineJson(likeliestLine(solution, state)),
		});
		this.to(1);
		return { reason: "exact" };
	}

	solve() {
		const { value, strategies, choices } = this.stage;
		this.value = value;
		if (strategies.every((mixture) => mixture.size)) {
			const [x, y] = strategies,
				[rows, columns] = choices;
			/** @type {[number[], number[]]} */
			const shares = [rows.map((action) => x.get(action) ?? 0), columns.map((action) => y.get(action) ?? 0)];
			this.mixtures = shares;
		}
	}
}

/**
 * The likeliest actions and outcomes from a position on, a few of them.
 * @param {Solution} solution
 * @param {State} state
 */
function likeliestLine(solution, state) {
	const { host } = solution,
		/** @type {Joint[]} */
		line = [];
	while (line.length < LONGEST_LINE && host.node(state) !== TERMINAL) {
		/** @type {Joint} */
		let joint;
		if (host.node(state) === CHANCE) joint = [host.outcomes(state).reduce(likelier)[0], NO_ACTION];
		else {
			const stage = solution.at(state);
			if (!stage) break;
			const [first, second] = stage.strategies.map((one) => (one.size ? [...one].reduce(likelier)[0] : NO_ACTION));
			joint = [first, second];
		}
		line.push(joint);
		state = host.next(state, ...joint);
	}
	return line;
}

/** The values of positions, as a review asks for those that its search finds. */
class Values {
	nodes = 0;
	ended = true;

	/**
	 * @param {LoadedGame} game
	 * @param {Solution} solution
	 */
	constructor({ about }, solution) {
		this.about = {
			...about.review,
			quiet: false,
			max_depth: 1,
			chance: [about.review.chance[0], about.review.chance[0]],
		};
		this.solution = solution;
	}

	/** @param {State} state */
	search(state) {
		const stage = this.solution.at(state),
			value = stage ? stage.value : /** @type {number} */ (this.solution.valueOf(state));
		return {
			value,
			bounds: /** @type {Bounds} */ ([value, value]),
			depth: 0,
			exact: true,
			complete: true,
			nodes: 0,
			best: stage ? stage.strategies : [new Map(), new Map()],
		};
	}
}

/** @type {(one: [number, number], other: [number, number]) => [number, number]} */
const likelier = (one, other) => (other[1] > one[1] ? other : one);
