// The replay view: a game of a ledger, of a file named on the command line, or of a file dropped on the page.
//   #/replay?l=LEDGER&n=GAME   #/replay?r=REPLAY&n=GAME   #/replay?dropped=STAMP   further: at=PLY, play=1, loop=1,
//   speed=2

import { ReplayViewer } from "../../viewer/replay.js";
import { savePng, saveSvg } from "../../viewer/saving.js";
import { withNames } from "../../viewer/words.js";
import { button, download, element } from "../dom.js";
import { shortcuts } from "../keys.js";
import { moveList, tool } from "../parts.js";
import { refToParams } from "../state.js";
import { chooseGame, droppable, gameData, linkOf, takeFile } from "./source.js";
import { stylesheet } from "./stylesheet.js";

/** @type {View["mount"]} */
export async function mount(host, params, context) {
	const [catalogue] = await Promise.all([context.catalogue(), stylesheet("static/views/replay.css", context.signal)]);
	const data = await gameData(params, context);
	if (context.signal.aborted) return () => {};
	const said = element("p", { class: "word", role: "alert", hidden: true });
	const take = async (/** @type {Blob} */ file, number = 1) => {
		try {
			context.go("replay", { dropped: await takeFile(file, context, number) });
		} catch (error) {
			if (error.name === "AbortError") return;
			said.textContent = error.message;
			said.hidden = false;
		}
	};
	droppable(host, take, context.signal);
	host.classList.add("replay-view");
	if (!data) {
		choose(host, { catalogue, take, said });
		return () => {};
	}
	return show(host, { data, params, context, take, said });
}

/** @typedef {{ params: URLSearchParams, context: Context, take: (file: Blob) => void, said: HTMLElement }} Shown what showing a game needs */

/**
 * The page without a game: what may be opened.
 * @param {HTMLElement} host
 * @param {{ catalogue: Catalogue, take: (file: Blob) => void, said: HTMLElement }} offer
 */
function choose(host, { catalogue, take, said }) {
	/** @type {(list: Listed[], address: (id: string) => string) => HTMLElement} */
	const links = (list, address) =>
		element(
			"ul",
			{ class: "games" },
			...list.map(({ id, name }) => element("li", {}, element("a", { href: address(encodeURIComponent(id)) }, name))),
		);
	host.append(
		element("h1", {}, "Replay"),
		element(
			"section",
			{ class: "panel drop" },
			element("p", {}, "Drop a replay file anywhere on this page, or choose one:"),
			element(
				"div",
				{ class: "row" },
				fileButton(take),
				element("a", { class: "button", href: "#/replay?sample=1" }, "Look at a recorded game"),
			),
			said,
		),
		...(catalogue.replays.length
			? [element("h2", {}, "Files named on the command line"), links(catalogue.replays, (id) => `#/replay?r=${id}`)]
			: []),
		...(catalogue.ledgers.length
			? [element("h2", {}, "Ledgers"), links(catalogue.ledgers, (id) => `#/arena?l=${id}`)]
			: []),
	);
}

/** @param {(file: Blob) => void} take */
function fileButton(take) {
	const picked = element("input", {
		type: "file",
		class: "unseen",
		onchange: () => {
			if (picked.files?.[0]) take(picked.files[0]);
		},
	});
	return element("label", { class: "button" }, "Open a file …", picked);
}

/**
 * @param {HTMLElement} host
 * @param {Shown & { data: GameData }} about
 */
function show(host, { data, params, context, take, said }) {
	const place = element("div", { class: "viewer" });
	const reference = (/** @type {Joint[]} */ moves) => ({ game: data.game, start: data.start, moves });
	let at = 0;
	const remember = () => {
		const link = linkOf(params);
		if (at) link.set("at", `${at}`);
		context.remember(link);
	};
	const attempt = (/** @type {() => void | Promise<void>} */ work) => async () => {
		said.hidden = true;
		try {
			await work();
		} catch (error) {
			said.textContent = error.message;
			said.hidden = false;
		}
	};
	const name = `${data.game.split("(")[0]}-${data.players.join("-")}`.replace(/[^\w.-]+/g, "_").slice(0, 80);
	const analyse = () => {
		const known = [...linkOf(params)].length > 0;
		const link = known ? linkOf(params) : refToParams(reference(data.actions));
		link.set("at", `${at}`);
		context.go("analysis", link);
	};
	const exported = attempt(async () => {
		const body = {
			...reference(data.actions),
			players: data.players,
			values: data.positions.map((one) => one.value ?? null),
		};
		download(
			`${name}.html`,
			await context.api.post("/api/export", body, { signal: context.signal, kind: "text" }),
			"text/html",
		);
	});
	const saving = element(
		"div",
		{ class: "row" },
		element("span", { class: "note" }, "Save"),
		context.api.isServer && button("As a page", exported),
		button(
			"SVG",
			attempt(async () => saveSvg(viewer.board, `${name}-${at}`)),
			{ "aria-label": "Save this position as SVG" },
		),
		button(
			"PNG",
			attempt(() => savePng(viewer.board, `${name}-${at}`)),
			{ "aria-label": "Save this position as PNG" },
		),
	);
	const list = moveList((ply) => viewer.go(ply), data.first_turn);
	const listed = data.positions.map((one, at) => ({ ...one, turn: data.turns[at] }));
	const reason = element("span", { class: "note" });
	const games = (data.games ?? 1) > 1 || params.has("r") ? chooseGame("replay", data, params, context, said) : null;
	host.append(
		element("div", { class: "row heading" }, element("h1", {}, "Replay"), reason),
		element(
			"div",
			{ class: "film" },
			place,
			element(
				"aside",
				{ class: "panel stack", "aria-label": "This game" },
				said,
				tool("search", "Analyse from here", analyse, { class: "main" }),
				list.node,
				saving,
				element("div", { class: "row" }, games, fileButton(take)),
			),
		),
	);
	const viewer = new ReplayViewer(place, data, {
		onStep: (now) => {
			at = now;
			list.draw(listed, now);
			reason.textContent = now === data.positions.length - 1 ? withNames(data.reason, data.titles) : ""; // it is not told ahead
			remember();
		},
	});
	viewer.follow(params);
	const act = (/** @type {KeyboardEvent} */ event) => viewer.key(event);
	shortcuts(context.signal, [
		{ keys: ["ArrowLeft"], shown: "←", says: "One move back", act },
		{ keys: ["ArrowRight"], shown: "→", says: "One move on", act },
		{ keys: ["Home"], shown: "Home", says: "To the start", act },
		{ keys: ["End"], shown: "End", says: "To the end", act },
		{ keys: [" "], shown: "Space", says: "Play it, or pause", act },
	]);
	return () => viewer.destroy();
}
