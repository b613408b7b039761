// The review of a finished game without a server. What it looks at and what it says is the program's own Python,
// translated
// (reviewed.js, which web/site/__init__.py makes); here is what that asks of a game and of searches. A state is a
// tuple of words there.
import { gameOf, lineOf, Refused } from "./known.js";
import { lookedAt } from "./looked.js";
import { Means } from "./means.js";
import { python } from "./python.js";
import { makeReview } from "./reviewed.js";
import { CHANCE, TERMINAL } from "./saddlepoint.js";

const USUAL_SECONDS = 0.3,
	MOST_SECONDS = 5,
	LEAST_SECONDS = 0.001,
	MOST_NODES = 50_000_000,
	MOST_MOVES = 4096,
	LONGEST_NAME = 1000;
const { dict, plainClass, record, shown, t, tuple } = python;
/** @typedef {Record<string, boolean | number | bigint | string | ((...values: any[]) => any)>} PythonValues what is Python's is any value here */

const GameOfPython = plainClass("Game"),
	Searches = plainClass("MeanSearcher"),
	Stop = plainClass("StopToken");
const Ending = record("Ending", ["words", "since"]),
	MeanValue = record("MeanValue", ["value", "bounds", "depth", "exact", "complete", "nodes", "best"]);

/** @type {(state: bigint[]) => State} */
const wordsOf = (state) => BigUint64Array.from(state);
/** @type {(words: State) => any} */
const stateOf = (words) => tuple(Array.from(words));
/** @type {(list: number[]) => bigint[]} */
const ints = (list) => list.map(BigInt);
/** @type {(mixture: Mixture) => any} */
const mixtureOf = (mixture) => dict(Array.from(mixture, ([action, share]) => [BigInt(action), share]));
/** @type {(limits: Record<"$depth" | "$nodes" | "$seconds", any>) => { depth: number | null, nodes: number | null, seconds: number | null }} */
const limitsOf = ({ $depth, $nodes, $seconds }) => ({ depth: plain($depth), nodes: plain($nodes), seconds: $seconds });
/** @type {(number: bigint | null) => number | null} */
const plain = (number) => (number === null ? null : Number(number));

/**
 * Looks at the whole game that a message names; `tell` gets what each position was worth; gives what the last message
 * tells.
 * @param {ReviewRequest} message
 * @param {(told: EngineMessage) => void} tell
 * @param {Judge | null} [known] what judges positions in the place of a search
 */
export async function review(message, tell, known = null) {
	const game = await gameOf(message.game),
		{ states, last } = lineOf(game, message),
		{ host, about } = game,
		{ moves = [] } = message;
	const judge = known ?? new Means(host, about.review),
		{ quiet, chance } = judge.about,
		[hasChance, plies] = chance[1],
		passesOver = !hasChance || plies === 0;
	const { nodes, seconds, players, result, faults, since } = asked(message, about);
	const real = gameObject(game, states, chance[0], host.next.bind(host));
	/** @type {EngineGame["next"]} */
	const next = (state, one, other) => {
		const after = host.next(state, one, other);
		return quiet ? host.pastChance(after) : after;
	};
	const form = quiet ? gameObject(game, states, chance[1], next) : real;
	const calls = makeReview(
		/** @type {PythonValues} */ ({
			searchedForm: () => form,
			fairSearcher: () => searches(judge),
			neverStopped: () => Object.assign(Stop(), { $stopped: false }),
			*lookedAt(_, all, joints, algorithm, limits, { steps: [step], searcher }) {
				const state = wordsOf(all[step]),
					played = joints[step];
				if (host.node(state) === TERMINAL || (host.node(state) === CHANCE && passesOver)) return;
				const found = lookedAt(
					host,
					(before, joint) => next(before, ...joint),
					state,
					searcher.means,
					limitsOf(limits),
					played.map(Number),
				);
				if (found) yield turnOf(calls, step, found, played);
			},
		}),
	);
	const over = host.node(last) === TERMINAL ? host.result(last) : result;
	const played = calls.finished(
		real,
		t(...players),
		states.map(stateOf),
		moves.map((joint) => t(...ints(joint))),
		over,
		t(...faults),
		BigInt(Math.min(since, moves.length)),
	);
	const note = (/** @type {any} */ one, /** @type {bigint} */ done, /** @type {bigint} */ expected) =>
		tell({ kind: "review", ...shown(calls.position(played, one, done, expected)) });
	const found = calls.reviewed(played, null, nodes, seconds, note);
	return { reason: "depth", ...shown(calls.json(played, found)) };
}

/**
 * What a message asks for, checked.
 * @param {ReviewRequest} message
 * @param {PageAbout} about
 */
function asked({ algorithm, evaluator, ...told }, about) {
	const {
		nodes_per_turn: nodes = null,
		seconds_per_turn: seconds = null,
		result = null,
		since = null,
	} = /** @type {Nullable<ReviewRequest>} */ (told);
	const players = told.players ?? ["player 0", "player 1"],
		faults = told.faults ?? ["", ""];
	const [low, high] = about.utilities,
		isPair = (/** @type {unknown} */ one) =>
			Array.isArray(one) &&
			one.length === 2 &&
			one.every((text) => typeof text === "string" && text.length <= LONGEST_NAME);
	const refuse = (/** @type {string} */ words) => {
		throw new Refused(words);
	};
	/** @type {(name: string, one: unknown, least: number, most: number) => boolean} */
	const within = (name, one, least, most) =>
		(typeof one === "number" && one >= least && one <= most) ||
		refuse(`'${name}' must be ${least} to ${most}, not ${JSON.stringify(one).slice(0, 40)}`);
	if (algorithm || evaluator) refuse("a page without a server has one search of a game");
	if (nodes !== null && within("nodes_per_turn", nodes, 1, MOST_NODES) && !Number.isInteger(nodes))
		refuse(`'nodes_per_turn' must be a whole number, not ${nodes}`);
	if (seconds !== null) within("seconds_per_turn", seconds, LEAST_SECONDS, MOST_SECONDS);
	if (result !== null) within("result", result, low, high);
	if (since !== null && within("since", since, 0, MOST_MOVES) && !Number.isInteger(since))
		refuse(`'since' must be a whole number, not ${since}`);
	if (!isPair(players) || !isPair(faults))
		refuse(`'players' and 'faults' must be two texts each, of ${LONGEST_NAME} characters at most`);
	return {
		nodes: nodes === null ? null : BigInt(nodes),
		seconds: seconds ?? (nodes === null ? USUAL_SECONDS : MOST_SECONDS),
		players,
		result,
		faults,
		since: since ?? 0,
	};
}

/**
 * A game as Python asks it; `states` are those of the game that is looked at, which say what became of the players.
 * @param {LoadedGame} game
 * @param {State[]} states
 * @param {[hasChance: boolean, plies: number]} chance
 * @param {EngineGame["next"]} next
 */
function gameObject({ host, texts, about }, states, [hasChance, plies], next) {
	const { word } = texts.turns(states),
		[low, high] = about.utilities;
	return Object.assign(
		GameOfPython(),
		/** @type {PythonValues} */ ({
			$min_utility: low,
			$max_utility: high,
			$has_chance: hasChance,
			$max_chance_plies: BigInt(plies),
			$turn_based: about.turn_based,
			$turn_word: word,
			$first_turn: BigInt(about.first_turn),
			$turns_played: (state) => BigInt(texts.turns([wordsOf(state)]).done[0]),
			$initial_state: () => stateOf(host.start()),
			$current_player: (state) => BigInt(host.node(wordsOf(state))),
			$players_to_act: (state) => tuple(ints(host.toAct(wordsOf(state)))),
			$legal_actions: (state, player) => ints(host.legal(wordsOf(state), Number(player))),
			$chance_outcomes: (state) => host.outcomes(wordsOf(state)).map(([outcome, odds]) => t(BigInt(outcome), odds)),
			$quiet_outcome: (state) => host.code.quiet_outcome(host.put(wordsOf(state))),
			$advance: (state, one, other) => stateOf(next(wordsOf(state), one, other)),
			$returns: (state) => host.result(wordsOf(state)),
			$action_to_string: (state, player, action) => texts.actionName(wordsOf(state), player, action),
			$outcome_to_string: (state, outcome) => texts.outcomeName(wordsOf(state), outcome),
			$to_text: (state) => texts.text(wordsOf(state)),
			$ending: () =>
				tuple(
					(texts.endings(states)?.players ?? [null, null]).map(
						(words, k) => words && Ending(words, texts.slowly(states)[k] ? 0n : null),
					),
				),
			$why_over: () => texts.endings(states)?.why ?? "",
		}),
	);
}

/** @typedef {Pick<Means, "about" | "nodes" | "ended" | "search">} Judge */

/**
 * Searches as Python asks them.
 * @param {Judge} means
 */
function searches(means) {
	const found = (/** @type {ReturnType<Judge["search"]>} */ one) =>
		MeanValue(
			one.value,
			t(...one.bounds),
			BigInt(one.depth),
			one.exact,
			one.complete,
			BigInt(one.nodes),
			t(...one.best.map(mixtureOf)),
		);
	return Object.defineProperties(
		Object.assign(Searches(), {
			means,
			$search: (
				/** @type {bigint[]} */ state,
				/** @type {any} */ limits,
				/** @type {{ deepen: boolean }} */ { deepen },
			) => found(means.search(wordsOf(state), limitsOf(limits), deepen)),
		}),
		{ $nodes: { get: () => BigInt(means.nodes) }, $ended: { get: () => means.ended } },
	);
}

/** @type {(calls: ReturnType<typeof makeReview>, step: bigint, found: NonNullable<ReturnType<typeof lookedAt>>, played: any) => any} */
const turnOf = (calls, step, { value, best, mixtures, loss, depth, exact, after, losses }, played) =>
	calls.turn(
		step,
		value,
		t(...ints(best)),
		t(...mixtures.map(mixtureOf)),
		played,
		t(...loss),
		BigInt(depth),
		exact,
		after,
		t(...losses.map(mixtureOf)),
	);
