// The start page: a live game, and the games, each one click from being played; with ?g=GAME the options of one.
import { button, element } from "../dom.js";
import { Game } from "../game.js";
import { tool } from "../parts.js";
import { entryOf, parseSeat, seatNames, strongestSeat, tableParams, usualSeat } from "../seats.js";
import { keptGame, leaveGame, whenText } from "../state.js";

/** @type {View["mount"]} */
export async function mount(host, params, context) {
	const watching = params.get("do") === "watch",
		wanted = params.get("g");
	const screen = wanted || watching ? null : new FirstScreen(context);
	if (screen) host.append(screen.node); // it does not wait for the server
	const known = await context.catalogue();
	if (context.signal.aborted) return null; // another view is there by now
	const entry = wanted ? entryOf(known, wanted) : null;
	if (entry) {
		const { options } = await import("../options.js");
		return context.signal.aborted ? null : options(host, entry, params, context);
	}
	const before = watching ? null : keptGame("play");
	const further = before && !before.over ? goOn(known, before) : null;
	const shown = screen && known.shown ? entryOf(known, known.shown) : null;
	if (shown && known.shown) screen?.show(shown, known.shown, further);
	else {
		screen?.node.remove();
		host.append(
			element(
				"div",
				{ class: "hello" },
				element("h1", {}, watching ? "Watch a game" : "Play a game"),
				element(
					"p",
					{ class: "note" },
					watching
						? "Two players of club strength, and you look on."
						: "One click, and you are in it, against an opponent of club strength.",
				),
			),
			further ?? "",
		);
	}
	/** @type {[CatalogueGame, HTMLElement][]} */
	const places = [];
	const drawing = new AbortController();
	for (const [group, games] of grouped(known.games)) {
		const list = element("ul", { class: "cards" });
		host.append(element("section", { class: "group", "aria-label": group }, element("h2", {}, group), list));
		for (const game of games) list.append(card(game));
	}

	/** @param {CatalogueGame} game */
	function card(game) {
		const drawn = element("div", { class: "small-board", "aria-hidden": "true", inert: true });
		/** @type {(pressed: HTMLButtonElement, seats: Seat[]) => void} */
		const enter = (pressed, seats) => {
			drawing.abort();
			quick(async () => [game.spec, seats], context, pressed);
		};
		const usual = usualSeat(game);
		/** @type {HTMLButtonElement} */
		const begin = tool("play", watching ? "Watch" : "Play", () => enter(begin, [watching ? usual : YOU, usual]), {
			class: shown ? "" : "main",
		});
		begin.setAttribute("aria-label", `${watching ? "Watch" : "Play"} ${game.title}`);
		/** @type {HTMLButtonElement | null} */
		const best = watching
			? button(
					"Best two",
					() => {
						if (best) enter(best, bestTwo(game));
					},
					{ "aria-label": `Watch the best two play ${game.title}` },
				)
			: null;
		const rules = watching
			? null
			: button("Rules", () => showRules(game, context), { "aria-label": `Rules of ${game.title}` });
		places.push([game, drawn]);
		return element(
			"li",
			{ class: "panel card" },
			drawn,
			element(
				"div",
				{ class: "stack" },
				element("div", {}, element("h3", {}, game.title), element("p", { class: "note" }, game.summary)),
				element(
					"div",
					{ class: "row" },
					begin,
					best,
					rules,
					element(
						"a",
						{
							class: "button",
							href: `#/?g=${encodeURIComponent(game.spec)}${watching ? "&do=watch" : ""}`,
							"aria-label": `Options of ${game.title}`,
						},
						"Options",
					),
				),
			),
		);
	}

	// All their rules are compiled for it, and the live game comes first; unless somebody scrolls to them.
	const first = shown ? Promise.race([screen?.ready, comesInto(host.querySelector(".card"), drawing.signal)]) : null;
	Promise.resolve(first).then(() => drawAll(places, context, drawing.signal));
	return () => drawing.abort();
}

/**
 * The first screen: a place for the live game, and the button to play it oneself. Which game that is, is told later.
 */
class FirstScreen {
	/** @param {Context} context */
	constructor(context) {
		this.context = context;
		this.entry = /** @type {CatalogueGame | null} */ (null);
		this.onReady = () => {};
		/** @type {Promise<void>} */
		this.ready = new Promise((resolve) => {
			this.onReady = resolve;
		}); // the live game's players are compiled
		this.board = element(
			"div",
			{ class: "play-board hero-board waiting", "aria-hidden": "true" },
			element("p", { class: "note wait" }, "Loading the game"),
		);
		this.live = element("div", { class: "panel stack hero-live" });
		/** @type {HTMLButtonElement} */
		this.begin = tool("play", "Play", () => this.enter(this.begin, (entry) => [YOU, usualSeat(entry)]), {
			class: "main large",
			"aria-describedby": "hero-opponent",
		});
		/** @type {HTMLButtonElement} */
		this.best = button("Watch the best two", () => this.enter(this.best, bestTwo), { class: "large" });
		this.rules = button("Rules", () => this.entry && showRules(this.entry, context), { class: "large" });
		this.opponent = element("span", { class: "note", id: "hero-opponent" }, "Against an opponent of club strength");
		const friend = context.api.isServer && element("a", { class: "button large", href: "#/friend" }, "Play a friend");
		this.row = element("div", { class: "row" }, this.begin, friend, this.best, this.rules, this.opponent);
		this.node = element(
			"section",
			{ class: "table hero", "aria-label": "A live game" },
			this.board,
			element(
				"div",
				{ class: "side" },
				element("h1", {}, "Both players choose at the same time"),
				element(
					"p",
					{ class: "lead-in" },
					"Neither sees the other's choice. Then both choices are shown and the board moves.",
				),
				this.row,
				this.live,
			),
		);
	}

	/**
	 * The game is this one; it is drawn after the first paint.
	 * @param {CatalogueGame} entry
	 * @param {string} spec
	 * @param {string | HTMLElement | null} further
	 */
	show(entry, spec, further) {
		this.entry = entry;
		const { board, live: side, context } = this;
		this.opponent.textContent = `${entry.title}, against an opponent of club strength`;
		if (further) this.row.after(further);
		requestAnimationFrame(() =>
			setTimeout(async () => {
				const { Hero } = await import("./start/hero.js");
				if (!context.signal.aborted) new Hero({ board, side }, spec, context, this.onReady);
			}),
		);
	}

	/**
	 * @param {HTMLButtonElement} pressed
	 * @param {(entry: CatalogueGame) => Seat[]} seatsOf
	 */
	enter(pressed, seatsOf) {
		quick(
			async () => {
				const known = await this.context.catalogue();
				const entry = known.shown && entryOf(known, known.shown);
				if (!known.shown || !entry)
					throw new this.context.api.Refused("No game is shown here: choose one of the list below.");
				return [known.shown, seatsOf(entry)];
			},
			this.context,
			pressed,
		);
	}
}

/**
 * [[heading, games], …]: one's own first, then as the catalogue has them.
 * @param {CatalogueGame[]} games
 */
function grouped(games) {
	/** @type {Map<string, CatalogueGame[]>} */
	const groups = new Map();
	for (const game of games) groups.set(game.group, [...(groups.get(game.group) ?? []), game]);
	return [...groups];
}

/**
 * Resolves when an element comes into view; never where there is none.
 * @param {Element | null} node
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function comesInto(node, signal) {
	return new Promise((resolve) => {
		const watcher = new IntersectionObserver((entries) => {
			if (entries.some((entry) => entry.isIntersecting)) {
				watcher.disconnect();
				resolve();
			}
		});
		if (node) watcher.observe(node);
		signal.addEventListener("abort", () => watcher.disconnect());
	});
}

/**
 * Draws a position of each game, one after the other: a game that is begun meanwhile does not wait for all their rules.
 * @param {[CatalogueGame, HTMLElement][]} places
 * @param {Context} context
 * @param {AbortSignal} signal
 */
async function drawAll(places, { api }, signal) {
	if (signal.aborted) return;
	const { Board } = await import("../../viewer/board.js");
	for (const [game, host] of places) {
		try {
			const { position } = await api.post("/api/middle", { game: game.spec }, { signal });
			new Board(host).draw({ ...position.picture, moves: [], numbers: [] }, { animate: false });
		} catch (error) {
			if (error.name === "AbortError") return;
			host.textContent = error.message;
		}
	}
}

/**
 * @param {Catalogue} known
 * @param {KeptGame} kept
 */
function goOn(known, { ref, seats, at }) {
	const entry = entryOf(known, ref.game);
	if (!entry) return "";
	const parsed = seats.map((seat) => (seat ? parseSeat(seat) : YOU));
	const names = seatNames(parsed, entry);
	const played = `${ref.moves.length} ${ref.moves.length === 1 ? "move" : "moves"}`;
	return element(
		"p",
		{ class: "row nowrap" },
		element("a", { class: "button go-on", href: `#/play?${tableParams(ref, parsed)}` }, "Go on"),
		element("span", { class: "note" }, `${entry.title}, ${names.join(" – ")}, ${played}, ${whenText(at)}`),
	);
}

/** @type {Seat} */
const YOU = { kind: "you" };

/** @type {(entry: CatalogueGame) => Seat[]} */
const bestTwo = (entry) => [strongestSeat(entry), strongestSeat(entry)];

/**
 * @param {CatalogueGame} entry
 * @param {Context} context
 */
async function showRules(entry, context) {
	const [{ rulesOf }, { showSheet }] = await Promise.all([import("../rules.js"), import("../sheet.js")]);
	const rules = rulesOf(entry, entry.spec, context);
	showSheet(entry.title, rules);
	rules.open = true;
}

/**
 * Into a game; `told()` says which and who plays it; `begin` is the button that was pressed.
 * @param {() => Promise<[spec: string, seats: Seat[]]>} told
 * @param {Context} context
 * @param {HTMLButtonElement} begin
 */
async function quick(told, context, begin) {
	begin.disabled = true;
	const label = begin.lastChild ?? begin;
	const before = label.textContent;
	const slow = setTimeout(() => {
		label.textContent = "One moment";
		context.say("One moment");
	}, 500);
	try {
		const [spec, seats] = await told();
		const view = seats.includes(YOU) ? "play" : "watch";
		const game = await Game.begin({ game: spec }, { signal: context.signal });
		leaveGame(view);
		context.go(view, tableParams(game.ref, seats));
	} catch (error) {
		if (error.name === "AbortError") return;
		begin.parentElement?.after(element("p", { class: "note", role: "alert" }, error.message));
	} finally {
		clearTimeout(slow);
		label.textContent = before;
		begin.disabled = false;
	}
}
