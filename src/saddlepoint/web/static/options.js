// The options of a new game: its parameters, where it starts, who plays, which side.
import { Board } from "../viewer/board.js";
import { button, element, field, select } from "./dom.js";
import { COLOURS } from "./game.js";
import { rulesOf } from "./rules.js";
import { levelWords, seatText, strongestSeat, usualLevel, words } from "./seats.js";
import { keep, kept, leaveGame, makeSpec, parseSpec, refToParams } from "./state.js";

/**
 * Fills `host` with the form; returns its end.
 * @param {HTMLElement} host
 * @param {CatalogueGame} entry
 * @param {URLSearchParams} params
 * @param {Context} context
 */
export function options(host, entry, params, context) {
	const [name, given] = parseSpec(params.get("g") ?? entry.spec);
	const watching = params.get("do") === "watch";
	const former = kept("options", {})[entry.spec] || {};
	const inputs = entry.parameters.map((parameter) => parameterField(parameter, given[parameter.name]));
	const own = entry.own || !entry.parameters.length ? entry.spec : null;
	const spec = () =>
		own ??
		makeSpec(name, Object.fromEntries(inputs.filter((one) => one.changed()).map((one) => [one.name, one.value()])));

	const seats = [
		seatField(entry, watching ? "Blue" : "Opponent", former.first),
		seatField(entry, "Orange", former.second),
	];
	const mode = radios(
		"Who plays",
		[
			["one", "Against a player"],
			["two", "Two people at one screen"],
			["watch", "Watch two players"],
		],
		watching ? "watch" : (former.mode ?? "one"),
		change,
	);
	const side = radios(
		"Your side",
		[
			["0", entry.turn_based ? "Blue, moves first" : "Blue"],
			["1", entry.turn_based ? "Orange, moves second" : "Orange"],
			["", "Either"],
		],
		former.side ?? "0",
		change,
	);
	const start = element("textarea", { rows: 2, spellcheck: "false", placeholder: "the usual start" });
	const seed = element("input", { type: "number", min: 0, step: 1, placeholder: "none" });
	const problem = element("p", { class: "note", role: "alert" });
	const drawn = element("div", { class: "board small-board", "aria-hidden": "true", inert: true });
	const board = new Board(drawn, { names: COLOURS });
	const begin = element("button", { class: "main", type: "submit" }, "Play");
	const form = element(
		"form",
		{
			class: "stack options",
			onsubmit: (/** @type {Event} */ event) => {
				event.preventDefault();
				go();
			},
			onchange: change,
		},
		mode.node,
		side.node,
		element("div", { class: "fields" }, ...seats.map((one) => one.node)),
		element(
			"fieldset",
			{},
			element("legend", {}, "Game"),
			inputs.length
				? element("div", { class: "fields" }, ...inputs.map((one) => one.node))
				: element(
						"p",
						{ class: "note" },
						entry.own
							? `It has the parameters of ${entry.spec}; others are given where the page is started, as in ./mygame.py:MyGame(rounds=5).`
							: "Nothing of this game can be chosen here.",
					),
			element(
				"details",
				{},
				element("summary", {}, context.api.isServer ? "Start and seed" : "Start"),
				element(
					"div",
					{ class: "stack" },
					field("Position to start from, as text", start),
					context.api.isServer &&
						field(
							"Seed, for a start drawn by chance",
							element(
								"div",
								{ class: "row nowrap" },
								seed,
								button("Draw", () => {
									seed.value = `${Math.floor(Math.random() * 1e6)}`;
									change();
								}),
							),
						),
				),
			),
		),
		problem,
		element(
			"div",
			{ class: "row" },
			begin,
			context.api.isServer && button("Invite a friend", () => context.go("friend", { g: spec() })),
			button("Watch the best two", () => go("best")),
			element("a", { class: "button", href: watching ? "#/?do=watch" : "#/" }, "Other games"),
		),
	);
	host.append(
		element("div", { class: "hello" }, element("h1", {}, entry.title), element("p", { class: "note" }, entry.summary)),
		element(
			"div",
			{ class: "table" },
			element("div", { class: "panel" }, form),
			element("aside", {}, drawn, rulesOf(entry, entry.spec, context)),
		),
	);
	context.title(entry.title);
	/** @type {{ asked: Asked, answer: NewGame } | null} */
	let last = null;
	/** @type {AbortController | null} */
	let pending = null;
	change();
	return () => {
		pending?.abort();
		board.destroy();
	};

	function change() {
		const kind = mode.value();
		side.node.hidden = kind !== "one";
		seats[0].node.hidden = kind === "two";
		seats[1].node.hidden = kind !== "watch";
		seats[0].label(kind === "watch" ? "Blue" : "Opponent");
		begin.textContent = kind === "watch" ? "Watch" : "Play";
		look().catch((error) => {
			if (error.name !== "AbortError") throw error;
		});
	}

	/** @typedef {{ game: string, start?: string, seed?: number }} Asked */

	function body() {
		/** @type {Asked} */
		const asked = { game: spec() };
		if (start.value.trim()) asked.start = start.value.replace(/\s+$/, "");
		if (seed.value !== "") asked.seed = Number(seed.value);
		return asked;
	}

	/** Asks for the position of the form as it stands and draws it; null where the server refuses it. */
	async function look() {
		const empty = inputs.find((one) => one.isEmpty());
		if (empty && !own) {
			problem.textContent = `${words(empty.name)} needs a number.`;
			return null;
		}
		const asked = body();
		if (last && JSON.stringify(asked) === JSON.stringify(last.asked)) return last.answer;
		pending?.abort();
		const mine = new AbortController();
		pending = mine;
		try {
			const answer = await context.api.post("/api/new", asked, { signal: mine.signal });
			problem.textContent = "";
			board.draw({ ...answer.position.picture, moves: [] }, { animate: false });
			last = { asked, answer };
			return answer;
		} catch (error) {
			if (error.name !== "Refused") throw error;
			problem.textContent = error.message;
			return null;
		}
	}

	/** Begins the game as the form has it, or with two players of the strongest level. */
	async function go(who = mode.value()) {
		const answer = await look().catch((error) => {
			if (error.name !== "AbortError") throw error;
		});
		if (!answer) return;
		const [first, second] = seats.map((one) => seatText(one.value()));
		const strongest = seatText(strongestSeat(entry));
		const mine = side.value() === "" ? Math.floor(Math.random() * 2) : Number(side.value());
		const both =
			who === "two"
				? ["you", "you"]
				: who === "watch"
					? [first, second]
					: who === "best"
						? [strongest, strongest]
						: mine
							? [first, "you"]
							: ["you", first];
		if (who !== "best")
			keep("options", { ...kept("options", {}), [entry.spec]: { mode: who, side: side.value(), first, second } });
		const view = who === "watch" || who === "best" ? "watch" : "play";
		leaveGame(view);
		const made = refToParams({ game: answer.game, start: answer.start, moves: [] });
		made.set("a", both[0]);
		made.set("b", both[1]);
		context.go(view, made);
	}
}

/**
 * @param {Parameter} parameter
 * @param {string | undefined} given
 */
function parameterField({ name, title = name, default: usual, kind, choices = [], low, high }, given) {
	const first = given === undefined ? usual : given.replace(/^["']|["']$/g, "");
	const text = (/** @type {Parameter["default"]} */ value) =>
		kind === "bool" ? (value ? "True" : "False") : String(value ?? "");
	const isNumber = kind === "int" || kind === "float";
	const input =
		kind === "bool"
			? element("input", { type: "checkbox", checked: first === true || first === "True" })
			: isNumber
				? element("input", { type: "number", min: low, max: high, step: kind === "int" ? 1 : "any", value: first })
				: element("input", { type: "text", value: first ?? "" });
	const control =
		kind === "choice"
			? select(
					choices.map((one) => [String(one), words(String(one))]),
					String(first),
				)
			: input;
	const value = () => (kind === "bool" ? text(input.checked) : control.value.trim());
	return {
		name,
		node: field(words(title), control),
		value,
		changed: () => value() !== text(usual),
		isEmpty: () => isNumber && !value(),
	};
}

/**
 * Who plays: a level, or a player of the catalogue with seconds or nodes a move.
 * @param {CatalogueGame} entry
 * @param {string} label
 * @param {string | undefined} former
 */
export function seatField(entry, label, former) {
	const levels = entry.levels.map((level) => [`level:${level.name}`, levelWords(level.name)]);
	const players = entry.players.map((player) => [`by:${player.spec}`, player.name ?? player.spec]);
	const [, formerBy, formerBudget] = /^(.*?)(?:@([\d.]+[sn]))?$/.exec(former ?? "") ?? [];
	const budget = select(
		[
			["0.1s", "0.1 s a move"],
			["0.5s", "0.5 s a move"],
			["1s", "1 s a move"],
			["3s", "3 s a move"],
			["10s", "10 s a move"],
			["100n", "100 nodes a move"],
			["1000n", "1 000 nodes a move"],
			["10000n", "10 000 nodes a move"],
			["100000n", "100 000 nodes a move"],
		],
		formerBudget ?? "1s",
		null,
		{ "aria-label": "Time or nodes a move" },
	);
	const who = element(
		"select",
		{ onchange: () => shown() },
		levels.length ? element("optgroup", { label: "Levels" }, ...levels.map(option)) : null,
		element("optgroup", { label: "Players" }, ...players.map(option)),
	);
	const usual = usualLevel(entry);
	who.value = formerBy || (usual ? `level:${usual}` : players[0]?.[0]);
	if (who.selectedIndex < 0) who.selectedIndex = 0;
	if (budget.selectedIndex < 0) budget.value = "1s";
	const title = element("span", {}, label);
	const node = element("div", { class: "field" }, element("label", { class: "field" }, title, who), budget);
	const isPlayer = () => who.value.startsWith("by:");
	function shown() {
		budget.hidden = !isPlayer();
	}
	shown();
	return {
		node,
		label: (/** @type {string} */ text) => {
			title.textContent = text;
		},
		/** @returns {Seat} */
		value() {
			if (!isPlayer()) return { kind: "level", level: who.value.slice(6) };
			const amount = Number.parseFloat(budget.value);
			return {
				kind: "by",
				by: who.value.slice(3),
				...(budget.value.endsWith("n") ? { nodes: amount } : { seconds: amount }),
			};
		},
	};
}

/** @type {(option: string[]) => HTMLOptionElement} */
const option = ([value, text]) => element("option", { value }, text);

let groups = 0; // of radio buttons that were made: each has a name of its own

/**
 * @param {string} legend
 * @param {string[][]} list
 * @param {string} value
 * @param {() => void} onchange
 */
function radios(legend, list, value, onchange) {
	groups += 1;
	const group = `r${groups}`;
	const node = element(
		"fieldset",
		{},
		element("legend", {}, legend),
		element(
			"div",
			{ class: "choices" },
			...list.map(([one, text]) =>
				element(
					"label",
					{ class: "choice" },
					element("input", { type: "radio", name: group, value: one, checked: one === value, onchange }),
					text,
				),
			),
		),
	);
	return { node, value: () => [...node.querySelectorAll("input")].find((one) => one.checked)?.value ?? list[0][0] };
}
