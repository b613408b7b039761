// The arena view: the ledgers named on the command line, also while games are written to them.
//   #/arena?l=LEDGER   further: player= and lost=1 of the list of games

import { element } from "../dom.js";
import { GameList } from "./arena/games.js";
import { LiveBoards } from "./arena/live.js";
import { PageMatch } from "./arena/match.js";
import { Standings } from "./arena/standings.js";
import { stylesheet } from "./stylesheet.js";

const SAMPLE = "0"; // the ledger that comes with the page
const EVERY = 2000; // milliseconds between two looks at a ledger
const EVERY_LIVE = 1000; // while a game of it is being played

/** @type {View["mount"]} */
export async function mount(host, params, context) {
	const [catalogue] = await Promise.all([
		context.catalogue(),
		stylesheet("report/figures.css", context.signal),
		stylesheet("static/views/arena.css", context.signal),
	]);
	host.classList.add("arena-view");
	const only = catalogue.ledgers.length === 1 && !params.has("match") ? catalogue.ledgers[0].id : null;
	const id = params.get("l") ?? only;
	if (id === null) {
		choose(host, catalogue, context);
		return () => {};
	}
	const ledger = catalogue.ledgers.find((one) => one.id === id);
	const status = element("p", { class: "note live", role: "status" });
	const standings = new Standings(context.signal);
	const live = new LiveBoards(id, context);
	const games = new GameList(id, params, context);
	host.append(
		element(
			"div",
			{ class: "row heading" },
			element("h1", {}, "Arena"),
			id === SAMPLE
				? element("span", { class: "note" }, "a recorded match: Light Riders, 3,000 nodes a move")
				: element("span", { class: "note mono" }, ledger?.name ?? id),
			status,
		),
		...(catalogue.ledgers.length > 1 ? [others(catalogue, id)] : []),
		live.host,
		standings.host,
		games.host,
		element("a", { href: "#/arena?match=1" }, "Play a match on this page"),
	);

	const ledgerAt = `/api/ledgers/${encodeURIComponent(id)}`;
	/** @type {(path: string, asked: Record<string, string>) => Promise<any>} */
	const ask = (path, asked) => context.api.get(`${path}?${new URLSearchParams(asked)}`, { signal: context.signal });
	let changed = ""; // of the figures that are shown
	/** @type {string | null} */
	let entered = null; // of those that the server has, or will have soon
	let since = "";
	let every = EVERY;
	/** @type {ReturnType<typeof setTimeout> | undefined} */
	let timer;
	let busy = false;
	const look = async () => {
		timer = undefined;
		if (busy || document.hidden) return; // it looks again when it is seen
		busy = true;
		try {
			/** @type {Running | null} */
			const told = await ask(`${ledgerAt}/running`, { since: live.unsettled ? "" : since, watched: live.watched });
			if (told) {
				({ changed: since, entered } = told);
				every = told.running ? EVERY_LIVE : EVERY;
				live.show(told, every);
			}
			/** @type {LedgerSummary | null} */
			const summary = changed === entered ? null : await ask(ledgerAt, { since: changed });
			if (summary && summary.changed !== changed) {
				changed = summary.changed;
				standings.show(summary);
				status.textContent = standings.told(summary);
				await games.refresh(summary);
			}
		} catch (error) {
			if (error.name === "AbortError") return;
			status.textContent = error.message;
		} finally {
			busy = false;
		}
		if (!context.signal.aborted) timer = setTimeout(look, every);
	};
	document.addEventListener(
		"visibilitychange",
		() => {
			if (!document.hidden && timer === undefined) look();
		},
		{ signal: context.signal },
	);
	await look();
	return () => {
		clearTimeout(timer);
		live.close();
	};
}

/**
 * @param {HTMLElement} host
 * @param {Catalogue} catalogue
 * @param {Context} context
 */
function choose(host, catalogue, context) {
	const { ledgers } = catalogue;
	const links = ledgers.map(({ id, name }) =>
		element("li", {}, element("a", { href: `#/arena?l=${encodeURIComponent(id)}` }, name)),
	);
	host.append(
		element("h1", {}, "Arena"),
		new PageMatch(catalogue, context).host,
		element(
			"section",
			{ class: "panel stack", "aria-label": "Ledgers" },
			element("h2", {}, "Ledgers"),
			...(ledgers.length ? [element("ul", { class: "games" }, ...links)] : []),
			element(
				"div",
				{ class: "row" },
				element("a", { class: "button", href: `#/arena?l=${SAMPLE}` }, "Look at a recorded match"),
			),
			element(
				"p",
				{},
				"Tournaments and leagues write their games to a file; the page follows it, also while it grows:",
			),
			element(
				"pre",
				{ class: "mono", tabindex: 0 },
				"saddlepoint match best random --ledger games.db\nsaddlepoint serve --ledger games.db",
			),
		),
	);
}

/**
 * @param {Catalogue} catalogue
 * @param {string} chosen
 */
function others({ ledgers }, chosen) {
	return element(
		"nav",
		{ class: "row", "aria-label": "Ledgers" },
		...ledgers.map(({ id, name }) =>
			element(
				"a",
				{ class: "button", href: `#/arena?l=${encodeURIComponent(id)}`, "aria-current": id === chosen ? "page" : null },
				name,
			),
		),
	);
}
