// The rules of a game, to be opened: in words, and one round of it drawn from the game itself.
import { Board } from "../viewer/board.js";
import { element } from "./dom.js";
import { COLOURS } from "./game.js";
import { arrowsTo } from "./views/analysis/arrows.js";

/**
 * The rules beside a board; spec: the game as it is played there. The round is drawn when they are first opened.
 * @param {CatalogueGame} entry
 * @param {string} spec
 * @param {Context} context
 */
export function rulesOf(entry, spec, { api, signal }) {
	const told = entry.rules?.length ? element("ul", {}, ...entry.rules.map((line) => element("li", {}, line))) : null;
	const round = element("figure", { class: "round", hidden: true });
	const node = element("details", { class: "rules" }, element("summary", {}, "Rules"), told, round);
	node.addEventListener(
		"toggle",
		async () => {
			try {
				await drawRound(round, spec, api, signal);
			} catch (error) {
				// the words say enough
				if (error.name === "AbortError") return;
				if (!told) round.replaceWith(element("p", { class: "note" }, "This game does not say its rules."));
			}
		},
		{ once: true, signal },
	);
	return node;
}

/**
 * A position, what is chosen in it, and the position after. Throws where the game has no such round.
 * @param {HTMLElement} host
 * @param {string} spec
 * @param {Context["api"]} api
 * @param {AbortSignal} signal
 */
async function drawRound(host, spec, api, signal) {
	const quiet = { signal, onWait: () => {} };
	const { game, moves, next } = await api.post("/api/middle", { game: spec }, quiet);
	if (!next) throw new api.Refused("no round to draw");
	const {
		positions: [before, after],
		turn_word: word,
	} = await api.post("/api/positions", { game, start: null, moves: [...moves, next], from: moves.length }, quiet);
	const boards = [
		{ label: "Before", picture: before.picture },
		{ label: "After", picture: after.picture },
	].map(({ label, picture }) => {
		const board = element("div", { class: "board" });
		return { board, picture, node: element("div", {}, element("span", { class: "note" }, label), board) };
	});
	const both = before.to_act.length === 2;
	const choices = before.to_act.flatMap((player, place) => [
		place ? ", " : "",
		element("span", { class: `player p${player}` }, COLOURS[player]),
		` ${both ? "" : "plays "}${after.names?.[player]}`,
	]);
	host.replaceChildren(
		element("figcaption", {}, `Example of one ${word}`),
		element(
			"div",
			{ class: "shots" },
			boards[0].node,
			element("span", { class: "then", "aria-hidden": "true" }, "→"),
			boards[1].node,
		),
		element("p", { class: "note" }, both && "Both choose at the same time: ", ...choices, "."),
	);
	host.hidden = false;
	boards.forEach(({ board, picture }, at) => {
		new Board(board, { names: COLOURS }).draw(
			{ ...picture, numbers: [] },
			{ animate: false, arrows: at ? [] : arrowsTo(next, picture) },
		);
	});
}
