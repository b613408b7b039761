// Where a game comes from: an address, a ledger, a file named on the command line, or a file dropped on the page.

import { element, field } from "../dom.js";
import { refFromParams } from "../state.js";

const DROPPED = "sp.dropped"; // kept until the tab is closed, so that a reload finds it

/**
 * GAME DATA of the game that `params` name (`l` and `n`, `r`, `sample`, `dropped`), or null where they name none.
 * @param {URLSearchParams} params
 * @param {Context} context
 * @returns {Promise<GameData | null>}
 */
export async function gameData(params, { api, signal }) {
	const number = params.get("n") ?? 1,
		ledger = params.get("l"),
		replay = params.get("r");
	if (ledger) return api.get(`/api/ledgers/${encodeURIComponent(ledger)}/games/${number}`, { signal });
	if (replay) return api.get(`/api/replays/${encodeURIComponent(replay)}?number=${number}`, { signal });
	if (params.has("sample")) return (await import("../samples/game.js")).default;
	if (params.has("dropped")) return dropped(params.get("dropped"));
	return null;
}

/**
 * What an analysis is of; `data` and `link` of a finished game alone.
 * @typedef {GameRef & { players: string[], data: GameData | null, variations?: string | null, link: URLSearchParams | null }} Source
 */

/**
 * What the analysis is of; null where `params` name no game.
 * @param {URLSearchParams} params
 * @param {Context} context
 * @returns {Promise<Source | null>}
 */
export async function analysed(params, context) {
	const data = await gameData(params, context);
	if (data)
		return {
			game: data.game,
			start: data.start,
			moves: data.actions,
			since: data.since,
			former: data.former,
			players: data.players,
			data,
			variations: data.variations ?? null,
			link: linkOf(params),
		};
	const ref = refFromParams(params);
	if (!ref) return null;
	if (!ref.start && !ref.moves.length) Object.assign(ref, await begun(ref.game, context));
	return { ...ref, players: [params.get("p0") || "Blue", params.get("p1") || "Orange"], data: null, link: null };
}

/**
 * What names a game in an address, without where in it one is.
 * @param {URLSearchParams} params
 */
export function linkOf(params) {
	return new URLSearchParams([...params].filter(([name]) => ["l", "n", "r", "sample", "dropped"].includes(name)));
}

/**
 * @param {string} game
 * @param {Context} context
 */
async function begun(game, { api, signal }) {
	const made = await api.post("/api/new", { game }, { signal });
	return { game: made.game, start: made.start };
}

/**
 * The game that was dropped last, if it is the one of that stamp.
 * @param {string | null} stamp
 * @returns {GameData | null}
 */
function dropped(stamp) {
	try {
		const data = JSON.parse(sessionStorage.getItem(DROPPED) ?? "null");
		return data?.stamp === stamp ? data : null;
	} catch {
		return null;
	}
}

/** @type {Blob | null} */
let lastFile = null; // another game of it can be shown until the page is left

/**
 * Reads a file of games; its game `number` is kept as the one dropped, with how many `games` there are. Answers what
 * names it in an address.
 * @param {Blob} file
 * @param {Context} context
 */
export async function takeFile(file, { api, signal }, number = 1) {
	const text = await file.text();
	const data = await api.post(`/api/replay?number=${number}`, text, { signal });
	const games = text.split("\n").filter((line) => line.includes('"moves"')).length;
	const stamp = String(Date.now());
	try {
		sessionStorage.setItem(DROPPED, JSON.stringify({ ...data, games: Math.max(1, games), number, stamp }));
	} catch {
		throw new Error("This browser keeps no game of that size.");
	}
	lastFile = file;
	return stamp;
}

/**
 * The line of a replay file with the variations of an analysis in a field of its own; whoever does not know it reads
 * the game.
 * @type {(line: string, text: string) => string}
 */
export const withVariations = (line, text) =>
	line.replace(/\}\s*$/, () => `, "variations": ${JSON.stringify(text)}}\n`);

/**
 * Takes another game of the file that was dropped last; null where it is not here any more.
 * @param {Context} context
 * @param {number} number
 */
export async function takeAgain(context, number) {
	return lastFile && takeFile(lastFile, context, number);
}

/**
 * A chooser of another game of the file, for the view; what is wrong with it is told in `said`.
 * @param {"replay" | "analysis"} view
 * @param {GameData} data
 * @param {URLSearchParams} params
 * @param {Context} context
 * @param {HTMLElement} said
 */
export function chooseGame(view, data, params, context, said) {
	const isDropped = params.has("dropped");
	const now = `${isDropped ? data.number : (params.get("n") ?? 1)}`;
	const number = element("input", {
		type: "number",
		min: 1,
		max: isDropped ? data.games : null,
		value: now,
		onchange: async () => {
			said.hidden = true;
			try {
				if (!/^[1-9]\d*$/.test(number.value)) throw new Error("The number of a game is 1 or more.");
				if (!isDropped) await gameData(new URLSearchParams({ r: params.get("r") ?? "", n: number.value }), context);
				const stamp = isDropped ? await takeAgain(context, Number(number.value)) : null;
				if (stamp) context.go(view, { dropped: stamp });
				else if (isDropped) throw new Error("The file is not here any more: open it again.");
				else context.go(view, { r: params.get("r") ?? "", n: number.value });
			} catch (error) {
				if (error.name === "AbortError") return;
				said.textContent = error.message;
				said.hidden = false;
				number.value = now;
			}
		},
	});
	return field(isDropped ? `Game of ${data.games}` : "Game", number);
}

/**
 * Lets files be dropped anywhere on `host`.
 * @param {HTMLElement} host
 * @param {(file: File) => void} onFile
 * @param {AbortSignal} signal
 */
export function droppable(host, onFile, signal) {
	host.addEventListener(
		"dragover",
		(event) => {
			if (!event.dataTransfer?.types.includes("Files")) return;
			event.preventDefault();
			host.classList.add("dropping");
		},
		{ signal },
	);
	host.addEventListener(
		"dragleave",
		(event) => {
			if (!(event.relatedTarget instanceof Node && host.contains(event.relatedTarget)))
				host.classList.remove("dropping");
		},
		{ signal },
	);
	host.addEventListener(
		"drop",
		(event) => {
			host.classList.remove("dropping");
			const file = event.dataTransfer?.files[0];
			if (!file) return;
			event.preventDefault();
			onFile(file);
		},
		{ signal },
	);
}
