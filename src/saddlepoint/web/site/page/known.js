// The games of this page, each loaded when it is first asked for, and the positions of the games that are being played.
import { bytesOf, jsonOf, textsOf } from "./files.js";
import { CHANCE, Game, NO_ACTION, SIMULTANEOUS, TERMINAL } from "./saddlepoint.js";

/** What is asked for and cannot be; `message` is the sentence. */
export class Refused extends Error {
	/** @param {string} message */
	constructor(message, status = 400) {
		super(message);
		this.status = status;
	}
}

const MOST_MOVES = 4096;
/** @type {Map<string, Promise<LoadedGame>>} */
const loaded = new Map();
/** @type {Promise<{ games: LoadedGame["row"][] }> | null} */
let index = null;

/**
 * A game's rules, its texts and pictures, and its row in the catalogue.
 * @param {string} spec
 * @returns {Promise<LoadedGame>}
 */
export async function gameOf(spec) {
	index ??= jsonOf("catalogue.json").catch((error) => {
		index = null;
		throw error;
	});
	const { games } = await index;
	const row = games.find((one) => one.spec === spec) ?? games.find((one) => one.name === spec);
	if (!row) {
		const same = games.find((one) => one.name === String(spec).split("(")[0]);
		throw new Refused(
			same
				? `this page has ${same.name} only as ${same.spec}; saddlepoint serve has it with other parameters`
				: `no game here is called ${String(spec).slice(0, 100)}; known: ${games.map((one) => one.spec).join(", ")}`,
		);
	}
	const game =
		loaded.get(row.file) ??
		load(row).catch((error) => {
			loaded.delete(row.file);
			throw error;
		});
	loaded.set(row.file, game);
	return game;
}

/**
 * @param {LoadedGame["row"]} row
 * @returns {Promise<LoadedGame>}
 */
async function load(row) {
	const [about, module, { makeTexts }] = await Promise.all([
		jsonOf(`games/${row.file}.json`),
		bytesOf(`games/${row.file}.wasm`),
		textsOf(row.file),
	]);
	let host;
	try {
		host = await Game.load(about, module);
	} catch (error) {
		throw new Refused(
			!globalThis.WebAssembly || error instanceof WebAssembly.CompileError
				? "this browser is too old for this page: it cannot run WebAssembly with SIMD"
				: `the game cannot be loaded: ${error.message}`,
			500,
		);
	}
	return { host, about, row, texts: makeTexts(host), line: null };
}

/**
 * A game's start, or the position that a text describes.
 * @param {LoadedGame} game
 * @param {string | null | undefined} text
 */
export function startOf(game, text) {
	if (text === null || text === undefined) return game.host.start();
	if (String(text).length > 20000) throw new Refused("a position has 20,000 characters at most");
	try {
		const words = game.texts.fromText(String(text));
		game.host.node(words);
		return words;
	} catch (error) {
		throw new Refused(`this is no position of ${game.row.title}: ${String(error.message).split("\n")[0]}`);
	}
}

/**
 * The positions of a game that a message tells, and the last of them; names of the move that led to each, null for the
 * first.
 * @param {LoadedGame} game
 * @param {{ start?: string | null, moves?: Joint[] }} asked
 */
export function lineOf(game, { start = null, moves = [] }) {
	if (
		!Array.isArray(moves) ||
		moves.length > MOST_MOVES ||
		!moves.every((one) => Array.isArray(one) && one.length === 2 && one.every(Number.isInteger))
	) {
		throw new Refused(`moves must be pairs of whole numbers, ${MOST_MOVES} at most`);
	}
	let line = game.line;
	if (!line || line.start !== start)
		line = game.line = { start, moves: [], states: [startOf(game, start)], names: [null] };
	let same = 0;
	while (
		same < Math.min(moves.length, line.moves.length) &&
		moves[same][0] === line.moves[same][0] &&
		moves[same][1] === line.moves[same][1]
	)
		same += 1;
	if (same < line.moves.length)
		game.line = line = {
			start,
			moves: line.moves.slice(0, same),
			states: line.states.slice(0, same + 1),
			names: line.names.slice(0, same + 1),
		};
	for (let at = same; at < moves.length; at += 1) {
		const after = played(game, line.states[at], moves[at], `move ${at + 1}`);
		line.moves.push(moves[at]);
		line.states.push(after.state);
		line.names.push(after.names);
	}
	return { states: line.states, names: line.names, last: line.states[line.states.length - 1] };
}

/**
 * The position after a move, and the names of the players' actions; chance's outcome is in the first place.
 * @param {LoadedGame} game
 * @param {State} state
 * @param {Joint} joint
 * @param {string} what
 * @returns {{ state: State, names: Names }}
 */
export function played(game, state, joint, what) {
	const { host, texts } = game,
		node = host.node(state);
	if (node === CHANCE) {
		if (joint[1] !== NO_ACTION) throw new Refused(`${what} must be what chance drew, and -1`);
		if (!host.outcomes(state).some(([outcome]) => outcome === joint[0]))
			throw new Refused(`${what}: ${joint[0]} is no outcome here`);
		return { state: host.next(state, joint[0], NO_ACTION), names: [texts.outcomeName(state, joint[0]), null] };
	}
	if (node === TERMINAL) throw new Refused(`${what} comes after the game's end`);
	const acting = host.toAct(state);
	if ([0, 1].some((player) => (joint[player] === NO_ACTION) === acting.includes(player))) {
		throw new Refused(
			`${what} must have an action of ${acting.length === 2 ? "each player" : `player ${acting[0]} alone`}`,
		);
	}
	for (const player of acting) {
		const legal = host.legal(state, player);
		if (!legal.includes(joint[player])) {
			const names = legal
				.slice(0, 12)
				.map((action) => texts.actionName(state, player, action))
				.join(", ");
			throw new Refused(
				`${what}: ${joint[player]} is not a legal action of player ${player} here; legal: ${names || "none"}${legal.length > 12 ? ", ..." : ""}`,
			);
		}
	}
	return { state: host.next(state, ...joint), names: namesOf(game, state, joint) };
}

/**
 * What each player's action is called; null for who has none.
 * @type {(game: LoadedGame, state: State, joint: number[]) => Names}
 */
export const namesOf = ({ texts }, state, joint) =>
	[0, 1].map((player) => (joint[player] === NO_ACTION ? null : texts.actionName(state, player, joint[player])));

/**
 * A position as the page draws it; `picture` where it is known already.
 * @param {LoadedGame} game
 * @param {State} state
 * @param {Names | null} names
 * @param {Picture | null} [picture]
 * @returns {Omit<Position, "turn">}
 */
export function positionJson(game, state, names, picture = null) {
	const { host, texts } = game,
		node = host.node(state);
	return {
		picture: picture ?? texts.picture(state),
		node: node === CHANCE ? "chance" : node === TERMINAL ? "over" : node === SIMULTANEOUS ? "simultaneous" : "turn",
		to_act: host.toAct(state),
		result: node === TERMINAL ? host.result(state) : null,
		names,
		text: texts.text(state),
		render: texts.render(state),
	};
}

/**
 * The middle of the range of results.
 * @type {(game: LoadedGame) => number}
 */
export const middleOf = ({
	about: {
		utilities: [low, high],
	},
}) => (low + high) / 2;
