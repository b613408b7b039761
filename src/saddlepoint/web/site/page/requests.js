// The requests of the interface (docs/page_interface.md), answered without a server.
import { CHANCE, NO_ACTION, Player, SIMULTANEOUS, TERMINAL } from "./saddlepoint.js";
import { gameOf, lineOf, middleOf, namesOf, played, positionJson, Refused, startOf } from "./known.js";

const MOST_POSITIONS = 1024,
	MOST_BRANCHES = 1000,
	MOST_SECONDS = 10,
	MOST_NODES = 50_000_000;
const MOST_UPLOADED = 4_000_000,
	MOST_VARIATIONS = 200_000;

/** @type {(game: LoadedGame, state: State) => Omit<NewGame, "position"> & { position: Omit<Position, "turn"> }} */
const begun = (game, state) => ({
	game: game.about.game,
	start: game.texts.text(state),
	position: positionJson(game, state, null),
});

/** @typedef {{ game: string, start?: string | null, moves?: any, [name: string]: any }} Asked as it came: each answer checks what it takes */

export const answers = {
	/** @param {Asked} asked */
	async "/api/new"({ game: spec, start = null }) {
		const game = await gameOf(spec);
		return begun(game, startOf(game, start));
	},

	/** @param {Asked} asked */
	async "/api/middle"({ game: spec }) {
		const game = await gameOf(spec);
		const { moves, next } = game.about.middle;
		const { states, names } = lineOf(game, { moves });
		const at = moves.length;
		const [picture] = game.texts.pictures(states, at);
		return {
			game: game.about.game,
			moves,
			next,
			position: { ...positionJson(game, states[at], names[at], picture), turn: game.texts.turns(states).done[at] },
		};
	},

	/** @param {Asked} asked */
	async "/api/from-text"({ game: spec, text, grid = false }) {
		const game = await gameOf(spec);
		return { ...begun(game, startOf(game, text)), ...(grid ? { grid: null } : {}) };
	},

	/** @param {Asked} asked */
	async "/api/positions"(asked) {
		const game = await gameOf(asked.game),
			{ about, texts } = game;
		const { states, names } = lineOf(game, asked),
			from = asked.from ?? 0;
		if (!Number.isInteger(from) || from < 0 || from >= states.length)
			throw new Refused(
				`the game has ${states.length} position${states.length === 1 ? "" : "s"}; from takes 0 to ${states.length - 1}`,
			);
		if (states.length - from > MOST_POSITIONS)
			throw new Refused(
				`these are more than ${MOST_POSITIONS} positions; ask for those from ${states.length - MOST_POSITIONS} on`,
			);
		const pictures = texts.pictures(states, from),
			{ word, done } = texts.turns(states),
			ending = texts.endings(states);
		if (ending && asked.players) ending.says = texts.reasons(states, asked.players);
		return {
			positions: states
				.slice(from)
				.map((state, k) => ({ ...positionJson(game, state, names[from + k], pictures[k]), turn: done[from + k] })),
			turn_word: word,
			first_turn: about.first_turn,
			turn_based: about.turn_based,
			range: about.utilities,
			ending,
		};
	},

	/** @param {Asked} asked */
	async "/api/branches"(asked) {
		const game = await gameOf(asked.game),
			line = lineOf(game, asked);
		const states = [...line.states],
			done = [...game.texts.turns(states).done];
		if (!Array.isArray(asked.branches) || asked.branches.length > MOST_BRANCHES)
			throw new Refused(`branches must be a list, ${MOST_BRANCHES} at most`);
		const branches = asked.branches.map(
			(/** @type {[before: number, ...joint: Joint]} */ [before, ...joint], /** @type {number} */ at) => {
				if (!(before in states)) throw new Refused(`variation move ${at + 1} comes after a position that there is not`);
				const node = game.host.node(states[before]);
				const after = played(game, states[before], joint, `variation move ${at + 1}`);
				states.push(after.state);
				done.push(done[before] + (node === CHANCE || node === TERMINAL ? 0 : 1));
				return { names: after.names, chance: node === CHANCE, turn: done.at(-1) };
			},
		);
		return { branches };
	},

	/** @param {Asked} asked */
	async "/api/chance"(asked) {
		const game = await gameOf(asked.game),
			{ last: state } = lineOf(game, asked);
		if (game.host.node(state) !== CHANCE) throw new Refused("it is not chance's turn here");
		const outcomes = game.host.outcomes(state);
		let point = Math.random() * outcomes.reduce((sum, [, odds]) => sum + odds, 0);
		const [outcome] = outcomes.find(([, odds]) => (point -= odds) < 0) ?? outcomes[outcomes.length - 1];
		return { outcome, name: game.texts.outcomeName(state, outcome) };
	},

	/** @param {Asked} asked */
	async "/api/answer"(asked) {
		const game = await gameOf(asked.game),
			{ last: state } = lineOf(game, asked),
			{ player } = asked;
		if (!game.host.toAct(state).includes(player)) throw new Refused(`player ${player} has no choice in this position`);
		const level = levelOf(game, asked);
		const name = (/** @type {number} */ action) => game.texts.actionName(state, player, action);
		if (level.player === null) {
			const legal = game.host.legal(state, player),
				action = legal[Math.floor(Math.random() * legal.length)];
			return {
				action,
				name: name(action),
				seconds: 0,
				value: null,
				depth: null,
				nodes: null,
				strategy: null,
				line: [],
			};
		}
		const { action, found } = thought(game, { ...level, player: level.player }, state, player, bounds(asked));
		const mixture = found?.strategies[player];
		return {
			action,
			name: name(action),
			seconds: found?.seconds ?? 0,
			value: found?.value ?? null,
			depth: found?.depth ?? null,
			nodes: found?.nodes ?? null,
			strategy: mixture ? [...mixture].map(([one, share]) => [one, name(one), share]) : null,
			line: [
				namesOf(
					game,
					state,
					game.host.toAct(state).length === 2
						? [0, 1].map((p) => (p === player ? action : likeliest(found?.strategies[p])))
						: [0, 1].map((p) => (p === player ? action : NO_ACTION)),
				)
					.filter(Boolean)
					.join(" "),
			],
		};
	},

	/** @param {Asked} asked */
	async "/api/line"(asked) {
		const game = await gameOf(asked.game),
			{ about, texts, host } = game,
			{ states, last } = lineOf(game, asked);
		const { word, done } = texts.turns(states),
			turns = done[done.length - 1],
			since = Math.min(asked.since ?? 0, asked.moves.length),
			count = `${turns} ${word}${turns === 1 ? "" : "s"}`;
		const over = host.node(last) === TERMINAL ? host.result(last) : null,
			resigned = over === null ? (asked.resigned ?? null) : null;
		const faults = [0, 1].map((player) =>
			player === resigned ? { kind: "resigned", step: asked.moves.length, text: "resigned" } : null,
		);
		const result = over ?? (resigned === null ? null : about.utilities[resigned]);
		const reason =
			over !== null
				? `${over === middleOf(game) ? "a draw" : `player ${Number(over < middleOf(game))} won`} after ${count}`
				: resigned === null
					? "the game is not over"
					: `player ${resigned} at fault: resigned, in ${word} ${turns + about.first_turn}`;
		const line = {
			format: "saddlepoint-game",
			version: 3,
			game: about.name || game.row.name,
			parameters: about.parameters,
			players: asked.players ?? ["player 0", "player 1"],
			opening: texts.text(states[0]),
			seed: asked.seed === undefined || asked.seed === null ? null : String(asked.seed),
			moves: asked.moves.map((/** @type {Joint} */ joint, /** @type {number} */ at) =>
				host.node(states[at]) === CHANCE ? [joint[0]] : namesOf(game, states[at], joint),
			),
			seconds: [[], []],
			searches: [[], []],
			result,
			reason,
			faults,
			...(since ? { since } : {}),
			...(since && asked.former ? { former: asked.former } : {}),
			...(about.rules ? { rules: about.rules } : {}),
		};
		return `${JSON.stringify(line)}\n`;
	},

	async "/api/export"() {
		throw new Refused(
			"a page without a server writes no page of a game: save the game, and saddlepoint show writes it",
			422,
		);
	},

	/**
	 * @param {string} text
	 * @param {URLSearchParams} query
	 */
	async "/api/replay"(text, query) {
		const data = recorded(text, Number(query.get("number") ?? 1));
		const game = await gameOf(data.game),
			{ about, texts, host } = game;
		if (JSON.stringify(sorted(data.parameters ?? {})) !== JSON.stringify(sorted(about.parameters)))
			throw new Refused(`this page has ${about.name} only as ${about.game}, and this game has other parameters`, 422);
		const states = [startOf(game, data.opening)];
		/** @type {Pick<ReplayPosition, "names" | "chance">[]} */
		const told = [];
		/** @type {Joint[]} */
		const actions = [];
		for (const [at, names] of data.moves.entries()) {
			const state = states[at];
			/** @type {Joint} */
			const joint =
				host.node(state) === CHANCE
					? [names[0], NO_ACTION]
					: [actionOf(game, state, 0, names[0], at), actionOf(game, state, 1, names[1], at)];
			const after = played(game, state, joint, `move ${at + 1}`);
			actions.push(joint);
			states.push(after.state);
			told.push(host.node(state) === CHANCE ? { chance: after.names[0] } : { names: after.names });
		}
		const pictures = texts.pictures(states, 0),
			{ word, done } = texts.turns(states),
			faults = data.faults ?? [null, null],
			{ players } = data;
		const apart =
			players[0] === players[1]
				? players.map((/** @type {string} */ name, /** @type {number} */ player) => `${name} (${player})`)
				: players;
		return {
			turn_word: word,
			turns: done,
			first_turn: about.first_turn,
			game: about.game,
			title: game.row.title,
			players,
			titles: players,
			result: data.result ?? null,
			reason: data.reason ?? "",
			why: faults.some(Boolean) ? [] : texts.reasons(states, apart),
			faults: faults.map((/** @type {{ text: string } | null} */ fault) => fault?.text ?? ""),
			resigned: [0, 1].find((player) => faults[player]?.kind === "resigned") ?? null,
			...(data.since ? { since: data.since, former: data.former } : {}),
			start: data.opening,
			seed: data.seed ?? null,
			positions: states.map((state, k) => ({
				picture: { ...pictures[k], moves: undefined },
				text: texts.text(state),
				...(k ? told[k - 1] : {}),
			})),
			actions,
			range: about.utilities,
			variations: data.variations,
		};
	},
};

const OF_ANOTHER =
	"a page without a server reads games that this library wrote, and this file is of another program: saddlepoint serve FILE shows it";

/**
 * Whether a file with this first line is in one of the games' own formats, which are read in Python alone.
 * @param {string} first
 */
function isOfAnother(first) {
	const has = (/** @type {string} */ name) => first.includes(`"${name}"`);
	return !has("saddlepoint-game") && (has("ruleset") || (has("specification") && has("steps")));
}

/**
 * A game of a file, as far as it can be checked without its rules.
 * @param {string} text
 * @param {number} number
 */
function recorded(text, number) {
	if (isOfAnother(text.split("\n", 1)[0])) throw new Refused(OF_ANOTHER, 422);
	if (text.length > MOST_UPLOADED)
		throw new Refused(
			`a file of games has ${MOST_UPLOADED.toLocaleString("en")} characters at most: saddlepoint serve FILE shows a longer one`,
			422,
		);
	let data;
	try {
		data = JSON.parse(text.split("\n").filter((one) => one.trim())[number - 1]);
	} catch {
		data = null;
	}
	const isText = (/** @type {unknown} */ value) => typeof value === "string" && value.length <= 20000;
	/** @type {(value: unknown, is: (one: any) => boolean) => boolean} */
	const pair = (value, is) => Array.isArray(value) && value.length === 2 && value.every(is);
	const isMove = (/** @type {unknown} */ value) =>
		Array.isArray(value) &&
		[1, 2].includes(value.length) &&
		value.every((one) => one === null || isText(one) || Number.isInteger(one));
	const isGame =
		data !== null &&
		typeof data === "object" &&
		data.format === "saddlepoint-game" &&
		isText(data.game) &&
		isText(data.opening) &&
		Array.isArray(data.moves) &&
		data.moves.length <= 4096 &&
		data.moves.every(isMove) &&
		pair(data.players, isText) &&
		(data.parameters === undefined || (data.parameters !== null && typeof data.parameters === "object")) &&
		(data.faults === undefined ||
			pair(data.faults, (one) => one === null || (typeof one === "object" && isText(one.text)))) &&
		(data.result === null || Number.isFinite(data.result)) &&
		(data.reason === undefined || isText(data.reason)) &&
		(data.since === undefined ||
			(Number.isInteger(data.since) && data.since >= 0 && data.since <= data.moves.length)) &&
		(data.former === undefined || data.former === null || pair(data.former, isText)) &&
		(data.seed === undefined || data.seed === null || isText(data.seed));
	if (!isGame) throw new Refused("the file holds no game: expected a replay, JSON lines, each of them a game", 422);
	const { variations } = data;
	return {
		...data,
		variations:
			variations === undefined || variations === null
				? null
				: (typeof variations === "string" ? variations : JSON.stringify(variations)).slice(0, MOST_VARIATIONS + 1),
	};
}

/** @type {(values: object) => object} */
const sorted = (values) => Object.fromEntries(Object.entries(values).sort());

/** @type {(game: LoadedGame, state: State, player: number, name: string | null, at: number) => number} */
function actionOf({ host, texts }, state, player, name, at) {
	if (name === null) return NO_ACTION;
	const action = host.legal(state, player).find((one) => texts.actionName(state, player, one) === name);
	if (action === undefined)
		throw new Refused(`move ${at + 1}: ${String(name).slice(0, 40)} is not a legal action of player ${player}`, 422);
	return action;
}

/**
 * @param {LoadedGame} game
 * @param {Asked} asked
 */
function levelOf({ about }, { level, by }) {
	const levels = [...about.levels, { name: "random", spec: "random", player: null }];
	const wanted = level ?? by,
		found = levels.find((one) => one.name === wanted) ?? levels.find((one) => one.spec === wanted);
	if (!found)
		throw new Refused(
			`this page has no player ${String(level ?? by).slice(0, 100)}; it has: ${about.levels.map((one) => one.name).join(", ")}`,
		);
	return found;
}

/** @param {Asked} asked */
function bounds({ seconds, nodes }) {
	/** @type {SearchLimits} */
	const found = {};
	if (typeof seconds === "number" && Number.isFinite(seconds))
		found.seconds = Math.min(Math.max(seconds, 0.001), MOST_SECONDS);
	if (typeof nodes === "number" && Number.isInteger(nodes))
		Object.assign(found, { nodes: Math.min(Math.max(nodes, 1), MOST_NODES), seconds: found.seconds ?? MOST_SECONDS });
	return found;
}

/**
 * What a player of the game does in a position. All of them have one table, which each begins anew.
 * @param {LoadedGame} game
 * @param {PageLevel & { player: number }} level
 * @param {State} state
 * @param {number} seat
 * @param {SearchLimits} limits
 */
function thought(game, level, state, seat, limits) {
	game.players ??= new Map();
	const key = `${level.player} ${seat}`;
	let one = game.players.get(key);
	if (!one) {
		one = new Player(game.host, level.player, game.table?.bytes === bytesOf(game, level) ? game.table.place : null);
		game.players.set(key, one);
	}
	one.begin(seat);
	const searcher = one.searchers.get(seat);
	if (searcher) game.table ??= { bytes: bytesOf(game, level), place: searcher.table };
	const seconds = limits.seconds ?? level.seconds ?? 1;
	return one.choose(state, { bank: seconds, increment: seconds, cap: seconds }, limits);
}

/** @type {(game: LoadedGame, level: { player: number }) => number} */
function bytesOf({ about }, level) {
	const { items, bytes } = about.searches[about.players[level.player].search].table;
	return items * bytes;
}

/** @type {(mixture: Mixture | undefined) => number} */
const likeliest = (mixture) =>
	mixture?.size ? [...mixture].reduce((best, one) => (one[1] > best[1] ? one : best))[0] : NO_ACTION;
