// What to analyse: a game's first position, a position as text, a file.

import { button, element, field, select } from "../../dom.js";
import { refToParams } from "../../state.js";
import { droppable, takeFile } from "../source.js";

const SAMPLE = /^\s*[[{]/; // a pasted replay is JSON

/**
 * The form, for a page of its own or for the drawer of the analysis; `game` is the one chosen first.
 * @param {Catalogue} catalogue
 * @param {Context} context
 * @param {string | null} [game]
 */
export function openForm(catalogue, context, game = null) {
	const said = element("p", { class: "word", role: "alert", hidden: true });
	const offered = catalogue.games.map(({ spec, title }) => [spec, title]);
	if (game && !offered.some(([spec]) => spec === game)) offered.unshift([game, game]);
	const chosen = select(offered, game ?? offered[0]?.[0]);
	const text = element("textarea", {
		rows: 5,
		class: "mono",
		spellcheck: "false",
		placeholder: "A position as the program writes it, or a game's line of a replay file",
	});
	const picked = element("input", {
		type: "file",
		onchange: () => {
			if (picked.files?.[0]) file(picked.files[0]);
		},
	});

	const attempt = async (/** @type {() => Promise<void>} */ work) => {
		said.hidden = true;
		try {
			await work();
		} catch (error) {
			if (error.name === "AbortError") return;
			said.textContent = error.message;
			said.hidden = false;
		}
	};
	const file = (/** @type {Blob} */ one) =>
		attempt(async () => {
			context.go("analysis", { dropped: await takeFile(one, context) });
		});
	const paste = () =>
		attempt(async () => {
			if (SAMPLE.test(text.value)) {
				context.go("analysis", { dropped: await takeFile(new Blob([text.value]), context) });
				return;
			}
			const made = await context.api.post(
				"/api/from-text",
				{ game: chosen.value, text: text.value },
				{ signal: context.signal },
			);
			context.go("analysis", refToParams({ game: made.game, start: made.start, moves: [] }));
		});
	const first = () =>
		attempt(async () => {
			const made = await context.api.post("/api/new", { game: chosen.value }, { signal: context.signal });
			context.go("analysis", refToParams({ game: made.game, start: made.start, moves: [] }));
		});

	const form = element(
		"form",
		{
			class: "open-form stack",
			onsubmit: (/** @type {Event} */ event) => {
				event.preventDefault();
				paste();
			},
		},
		element("div", { class: "row ends" }, field("Game", chosen), button("Its first position", first)),
		field("Position or replay", text),
		element(
			"div",
			{ class: "row" },
			element("button", { class: "main" }, "Analyse the text"),
			element("label", { class: "button" }, "A file …", picked),
			element("span", { class: "note" }, "or drop one on the page"),
		),
		said,
	);
	picked.classList.add("unseen");
	return { form, file };
}

/**
 * The view without a game.
 * @param {HTMLElement} host
 * @param {Catalogue} catalogue
 * @param {Context} context
 */
export function openPage(host, catalogue, context) {
	const { form, file } = openForm(catalogue, context);
	const games = catalogue.replays.map(({ id, name }) =>
		element("li", {}, element("a", { href: `#/analysis?r=${encodeURIComponent(id)}` }, name)),
	);
	host.append(
		element("h1", {}, "Analysis"),
		element(
			"p",
			{ class: "note" },
			"What is this position worth, what should each player do, and how often? Choose a position, or open a game from Play, Replay or Arena.",
		),
		element("section", { class: "panel open-page" }, form),
		...(games.length ? [element("h2", {}, "Games named on the command line"), element("ul", {}, ...games)] : []),
	);
	droppable(host, file, context.signal);
}
