// One search at work on the position: its choosers, its figures, the line it expects, and what each alternative is
// worth.

import { element, field, select } from "../../dom.js";
import { waitText } from "../../state.js";
import { count, seconds, signed } from "../numbers.js";
import { Lines } from "./lines.js";
import { Matrix } from "./matrix.js";
import { MoveList } from "./moves.js";
import { sentence } from "./sentence.js";

const OWN = ""; // the algorithm, or the evaluator, of the game's player `best`
const DIFFERS = 0.05; // of the range of results: two values that are further apart
const FIGURES = [
	["depth", "Depth"],
	["nodes", "Nodes"],
	["speed", "Nodes/s"],
	["hits", "Table hits"],
	["time", "Time"],
];

export class Panel {
	/** @type {number | null} */ number = null;
	/** @type {SearchMessage | null} */ found;
	/** @type {AlternativesMessage | null} */ table;
	/** @type {Overlay[]} */ overlays;
	/** @type {string | null} */ key;
	/** @type {Matrix | MoveList | null} */ shown = null;
	running = false;

	/**
	 * `on` has enter(joint), point(joint | null), line(joints | null) for a line pointed at, walk(joints) for one chosen,
	 * changed() when this panel has something new to draw, and chosen() when another search was chosen.
	 * @param {import("./engine.js").Engine} engine
	 * @param {{ title: string, game: Partial<CatalogueGame>, names: string[], range: Bounds, on: SearchHandlers & { chosen: () => void }, algorithm?: string, evaluator?: string }} about
	 */
	constructor(engine, { title, game, names, range, on, algorithm = OWN, evaluator = OWN }) {
		this.engine = engine;
		this.title = title;
		this.game = game;
		this.names = names;
		this.range = range;
		this.on = on;
		this.algorithm = algorithm;
		this.evaluator = evaluator;
		this.searches = element("details", { class: "word searches" });
		this.forget();
		this.figures = Object.fromEntries(FIGURES.map(([key]) => [key, element("dd", {}, "–")]));
		this.counts = element(
			"dl",
			{ class: "counts" },
			...FIGURES.map(([key, label]) => element("div", {}, element("dt", {}, label), this.figures[key])),
		);
		this.status = element("p", { class: "word" });
		this.says = element("p", { class: "lead" });
		this.worth = element("output", { class: "value" }, "–");
		this.bounds = element("span", { class: "bounds" });
		this.lines = new Lines({ names, range, on });
		this.alternatives = element("div", { class: "alternatives scroll", tabindex: -1 });
		this.host = element(
			"section",
			{ class: "panel", "aria-label": title },
			this.says,
			element("div", { class: "headline" }, this.worth, this.bounds),
			this.status,
			this.alternatives,
			this.lines.host,
			this.counts,
			this.searches,
			element("div", { class: "choosers" }, ...this.choosers()),
		);
		this.heed = { onEnter: on.enter, onPoint: on.point, names, range };
	}

	choosers() {
		const [algorithms, evaluators] = [this.game.algorithms, this.game.evaluators].map((all) =>
			(all ?? []).map(({ spec, name }) => [spec, name ?? spec]),
		);
		const made = [];
		if (algorithms.length > 1) {
			made.push(
				field(
					"Search",
					select([[OWN, "The usual one"], ...algorithms], this.algorithm, (spec) => this.choose("algorithm", spec)),
				),
			);
		}
		if (evaluators.length > 1) {
			made.push(
				field(
					"Evaluator",
					select([[OWN, "The usual one"], ...evaluators], this.evaluator, (spec) => this.choose("evaluator", spec)),
				),
			);
		}
		return made;
	}

	/**
	 * @param {"algorithm" | "evaluator"} what
	 * @param {string} spec
	 */
	choose(what, spec) {
		this[what] = spec;
		this.on.chosen();
	}

	forget() {
		this.found = null;
		this.table = null;
		this.overlays = [];
		this.key = null;
		this.searches.replaceChildren();
	}

	/** @param {GameRef} ref */
	keyOf(ref) {
		return JSON.stringify([ref, this.algorithm, this.evaluator]);
	}

	/**
	 * Whether what is shown is of the position of `ref`, by the search that is chosen.
	 * @param {GameRef} ref
	 */
	isOf(ref) {
		return this.key === this.keyOf(ref) && Boolean(this.reading);
	}

	/**
	 * Searches the position of `ref`; `wanted` has seconds and overlays. What is shown stays until there is more.
	 * @param {GameRef} ref
	 * @param {{ seconds: number, overlays: string[] }} wanted
	 */
	start(ref, wanted) {
		this.stop();
		const key = this.keyOf(ref);
		if (key !== this.key) {
			this.forget();
			this.key = key;
			this.host.classList.add("old");
			this.on.changed();
		}
		this.say("");
		this.running = true;
		this.number = this.engine.ask(
			{
				do: "analyse",
				...ref,
				algorithm: this.algorithm || null,
				evaluator: this.evaluator || null,
				seconds: wanted.seconds,
				alternatives: true,
				overlays: wanted.overlays,
			},
			(message) => this.hear(message),
		);
	}

	/** What is shown is of the position before. */
	leave() {
		this.stop();
		this.host.classList.add("old");
	}

	/** What is shown is of this position after all. */
	stay() {
		this.host.classList.remove("old");
	}

	stop() {
		if (this.number !== null) this.engine.stop(this.number);
		this.number = null;
		this.running = false;
	}

	/**
	 * Nothing is searched here, for the reason told: the game is over, or chance moves.
	 * @param {string} reason
	 */
	rest(reason) {
		this.stop();
		this.forget();
		this.clear();
		this.say(reason);
		this.on.changed();
	}

	clear() {
		this.host.classList.remove("old");
		this.says.textContent = "";
		this.worth.textContent = "–";
		delete this.worth.dataset.value;
		this.bounds.textContent = "";
		this.lines.clear();
		this.alternatives.replaceChildren();
		this.shown = null;
		for (const figure of Object.values(this.figures)) figure.textContent = "–";
	}

	/** @param {string} text */
	say(text) {
		this.status.textContent = text;
		this.status.hidden = !text;
	}

	/** @param {EngineMessage} message */
	hear(message) {
		if (message.kind === "compiling") this.compiling(message);
		else if (message.kind === "error") this.error(message);
		else if (message.kind === "done") this.done(message);
		else if (message.kind === "counters") this.counters(message);
		else if (message.kind === "search") this.search(message);
		else if (message.kind === "alternatives") this.showAlternatives(message);
		else if (message.kind === "overlays") this.overlays = message.overlays;
		this.on.changed();
	}

	/** @param {Compiling} message */
	compiling({ what, seconds: waited, ahead }) {
		this.say(waitText({ compiling: what, seconds: waited, ahead }));
	}

	/** @param {ErrorMessage} message */
	error({ error }) {
		this.running = false;
		this.host.classList.remove("old");
		if (!this.reading) this.clear();
		this.say(error);
	}

	/** @param {DoneMessage} message */
	done({ reason }) {
		this.running = false;
		this.host.classList.remove("old");
		const said = { exact: "Solved: the value is exact.", time: "", depth: "As deep as it goes.", stopped: "" }[reason];
		this.say(said ?? "");
	}

	/** @param {CountersMessage} message */
	counters(message) {
		this.say("");
		this.count(message);
		this.showDepth(`→ ${message.depth}`);
	}

	/** @param {Partial<SearchCounters>} counted */
	count({ nodes, nodes_per_second: speed, table_hits: hits, seconds: time }) {
		this.counts.hidden = this.searches.hidden = nodes === 0; // then it comes from a solution
		this.figures.nodes.textContent = count(nodes ?? 0);
		this.figures.speed.textContent = speed ? count(speed) : "–";
		this.figures.hits.textContent = hits === null || hits === undefined ? "–" : count(hits);
		this.figures.time.textContent = time === undefined ? "–" : seconds(time);
	}

	/** @param {SearchMessage} message */
	search(message) {
		this.host.classList.remove("old");
		this.found = message;
		this.say("");
		this.count(message);
		this.head();
	}

	/**
	 * The value and the line that are told: {value, depth, exact, line, line_actions}. They are those of the table, as
	 * soon as a depth
	 * of it is finished, so that all that is shown comes from one search; until then, of the search alone.
	 * @returns {Reading | null}
	 */
	get reading() {
		const { table, found } = this;
		return table?.finished ? { ...table, depth: table.finished, exact: table.proven } : found;
	}

	/** Shows the reading. */
	head() {
		const { reading } = this;
		if (!reading) return;
		this.says.textContent = sentence({
			reading,
			table: reading === this.found ? null : this.table,
			names: this.names,
			range: this.range,
		});
		this.worth.textContent = signed(reading.value);
		this.worth.dataset.value = `${reading.value}`;
		const [low, high] = ("bounds" in reading ? reading.bounds : null) ?? this.range;
		this.bounds.textContent = reading.exact
			? "exact"
			: low !== high && (low > this.range[0] || high < this.range[1])
				? `proven between ${signed(low)} and ${signed(high)}`
				: `at depth ${reading.depth}`;
		this.showDepth();
		this.showLines();
		this.nameSearches();
	}

	/** The depth of the value that is told, and the one that is searched next where both are of one search. */
	showDepth(next = "") {
		const { found, reading } = this;
		this.figures.depth.textContent = [reading?.depth, reading === found && next].filter(Boolean).join(" ");
	}

	showLines() {
		const { reading, table } = this;
		if (reading) this.lines.show(reading, reading === this.found ? null : table);
	}

	/** Which search found what is shown, and what the search alone reads, where that is something else. */
	nameSearches() {
		const { found, reading } = this,
			said = [];
		if (reading?.search) said.push(`${reading.search}.`);
		if (
			found &&
			reading &&
			reading !== found &&
			!reading.exact &&
			Math.abs(found.value - reading.value) > DIFFERS * (this.range[1] - this.range[0])
		) {
			const who = found.search === reading.search ? "Without a value for each move it" : `${found.search}`;
			said.push(`${who} sees otherwise: ${signed(found.value)} at depth ${found.depth}.`);
		}
		const isTable = reading && reading !== found;
		const how = !isTable
			? "Found by a quick search"
			: this.table?.rows
				? "Found by a search for the best mixtures of both"
				: "Found by a search of every move";
		this.searches.replaceChildren(element("summary", {}, how), ...said.map((text) => element("p", {}, text)));
	}

	/** @param {AlternativesMessage} message */
	showAlternatives(message) {
		if (message.rows) {
			const matrix = this.shown instanceof Matrix ? this.shown : new Matrix(this.alternatives, this.heed);
			if (matrix !== this.shown) this.alternatives.after(this.lines.host);
			this.shown = matrix;
			matrix.show(message);
		} else {
			const list = this.shown instanceof MoveList ? this.shown : new MoveList(this.alternatives, this.heed);
			if (list !== this.shown) this.alternatives.before(this.lines.host);
			this.shown = list;
			list.show(message);
		}
		this.table = message;
		this.say(""); // it is compiled by now
		this.head();
	}
}
