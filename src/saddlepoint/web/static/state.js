// References of games (GAME REF: {game, start, moves}), how an address says them, and what this browser keeps.

import { Refused } from "./api.js";

/**
 * {g, s, m, since, f0, f1} of a reference: `m` is "0.1,2.-1,…".
 * @param {GameRef} ref
 */
export function refToParams(ref) {
	const params = new URLSearchParams({ g: ref.game });
	if (ref.start) params.set("s", ref.start);
	if (ref.moves.length) params.set("m", ref.moves.map(([first, second]) => `${first}.${second}`).join(","));
	if (ref.since) {
		params.set("since", `${ref.since}`);
		ref.former?.forEach((name, player) => params.set(`f${player}`, name));
	}
	return params;
}

/**
 * The reference that an address says, or null where it says none. Throws Refused for moves that are none.
 * @param {URLSearchParams} params
 * @returns {GameRef | null}
 */
export function refFromParams(params) {
	const game = params.get("g");
	if (!game) return null;
	const joints = (params.get("m") || "").split(",").filter(Boolean);
	const damaged = joints.find((joint) => !/^-?\d+\.-?\d+$/.test(joint));
	if (damaged) throw new Refused(`The moves in this link are damaged, from "${damaged}" on.`);
	const moves = joints.map((joint) => /** @type {Joint} */ (joint.split(".").map(Number)));
	/** @type {GameRef} */
	const ref = { game, start: params.get("s") || null, moves };
	const since = Number(params.get("since"));
	if (!(since > 0 && since <= moves.length)) return ref;
	const former = ["f0", "f1"].flatMap((name) => params.get(name) ?? []);
	return { ...ref, since, ...(former.length === 2 && { former }) };
}

/**
 * What is kept under `sp.NAME`, or the default. A browser that keeps nothing only forgets.
 * @param {string} name
 * @returns {any}
 */
export function kept(name, otherwise = /** @type {unknown} */ (null)) {
	try {
		return JSON.parse(localStorage.getItem(`sp.${name}`) ?? "null") ?? otherwise;
	} catch {
		return otherwise;
	}
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
	try {
		if (value === null) localStorage.removeItem(`sp.${name}`);
		else localStorage.setItem(`sp.${name}`, JSON.stringify(value));
	} catch {
		/* nothing is kept */
	}
}

// Games in progress: every tab goes on with its own; one without any goes on with the last that was played in this
// browser.

const MOST_KEPT = 12;

/** @typedef {"play" | "watch"} Kind */

const tabs = {
	/** @param {Kind} kind */
	get(kind) {
		try {
			return sessionStorage.getItem(`sp.${kind}`);
		} catch {
			return null;
		}
	},
	/**
	 * @param {Kind} kind
	 * @param {string} id
	 */
	set(kind, id) {
		try {
			sessionStorage.setItem(`sp.${kind}`, id);
		} catch {
			/* the tab has none of its own */
		}
	},
};

/**
 * The games kept, the last one played first.
 * @type {(kind: Kind) => KeptGame[]}
 */
export const keptGames = (kind) =>
	/** @type {KeptGame[]} */ (Object.values(kept(`${kind}.games`, {}))).sort((one, other) => other.at - one.at);

/**
 * The game of this tab, else the last one that was played; null where there is none.
 * @param {Kind} kind
 */
export function keptGame(kind) {
	const games = keptGames(kind);
	return games.find(({ id }) => id === tabs.get(kind)) ?? games[0] ?? null;
}

/**
 * What is kept of a game at this very position: this tab's, or one of another that was begun; a game without a move may
 * be anybody's.
 * @param {Kind} kind
 * @param {GameRef} ref
 */
export function keptAt(kind, ref) {
	const same = (/** @type {GameRef} */ one) =>
		one.game === ref.game && one.start === ref.start && JSON.stringify(one.moves) === JSON.stringify(ref.moves);
	const own = tabs.get(kind);
	return (
		keptGames(kind)
			.sort((one, other) => Number(other.id === own) - Number(one.id === own))
			.find((one) => same(one.ref) && (one.id === own || ref.moves.length)) ?? null
	);
}

/**
 * The tab's next game is another one, also where it begins in the same position.
 * @param {Kind} kind
 */
export const leaveGame = (kind) => tabs.set(kind, "");

/**
 * Keeps a game as this tab's, with when it was played.
 * @param {Kind} kind
 * @param {Omit<KeptGame, "at">} game
 */
export function keepGame(kind, game) {
	/** @type {Record<string, KeptGame>} */
	const all = { ...kept(`${kind}.games`, {}), [game.id]: { ...game, at: Date.now() } };
	const last = Object.values(all)
		.sort((one, other) => other.at - one.at)
		.slice(0, MOST_KEPT);
	keep(`${kind}.games`, Object.fromEntries(last.map((one) => [one.id, one])));
	tabs.set(kind, game.id);
}

export const newId = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 8);

/**
 * When a game was played, as a person says it.
 * @param {number} at
 */
export const whenText = (at) => new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

/**
 * "my_game(width=9, height=9)" -> ["my_game", {width: "9", height: "9"}]; anything else keeps its text as the name.
 * @param {string} spec
 * @returns {[name: string, values: Record<string, string>]}
 */
export function parseSpec(spec) {
	const match = /^([\w.-]+)\((.*)\)$/s.exec(spec);
	if (!match) return [spec, {}];
	/** @type {Record<string, string>} */
	const values = {};
	for (const part of match[2].split(/,\s*(?=\w+\s*=)/)) {
		const at = part.indexOf("=");
		if (at > 0) values[part.slice(0, at).trim()] = part.slice(at + 1).trim();
	}
	return [match[1], values];
}

/**
 * @param {string} name
 * @param {Record<string, string>} values
 */
export function makeSpec(name, values) {
	const inside = Object.entries(values)
		.map(([key, value]) => `${key}=${value}`)
		.join(", ");
	return inside ? `${name}(${inside})` : name;
}

/** @type {(ms: number, signal: AbortSignal) => Promise<void>} */
export const sleep = (ms, signal) =>
	new Promise((resolve, reject) => {
		const timer = setTimeout(resolve, ms);
		signal?.addEventListener("abort", () => {
			clearTimeout(timer);
			reject(new DOMException("over", "AbortError"));
		});
	});

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * What the page says while the server compiles: what, for how long it has waited, and how many others come first.
 * @param {Partial<Wait>} wait
 */
export function waitText({ compiling, seconds = 0, ahead = 0 }) {
	const turn = ahead ? `, after ${ahead} other${ahead > 1 ? "s" : ""}` : "";
	const passed = seconds >= 1 ? `, ${Math.floor(seconds)} s so far` : "";
	return `Getting ready for the first time${turn}${passed} (${compiling ?? "the search"})`;
}
