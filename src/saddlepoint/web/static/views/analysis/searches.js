// The searches at work on a position, one or two side by side, and what they are told: how long, pause, which overlays.

import { isServer } from "../../api.js";
import { button, element, select } from "../../dom.js";
import { keepLines, linesShown, MOST_LINES } from "./lines.js";
import { Panel } from "./panel.js";

/** @type {[seconds: number, label: string][]} */
const TIMES = [
	[5, "5 s"],
	[15, "15 s"],
	[60, "60 s"],
];

export class Searches {
	/**
	 * `search()` is called when the position shall be searched again; `on` is what a panel tells, without `chosen`.
	 * @param {import("./engine.js").Engine} engine
	 * @param {{ game: Partial<CatalogueGame>, names: string[], range: Bounds, search: () => void, on: SearchHandlers }} about
	 */
	constructor(engine, { game, names, range, search, on }) {
		this.engine = engine;
		this.game = game;
		this.names = names;
		this.range = range;
		this.search = search;
		this.on = on;
		this.seconds = TIMES[1][0];
		this.working = true;
		this.panels = /** @type {Panel[]} */ ([]);
		this.asked = /** @type {{ ref: GameRef | null, overlays: string[] } | null} */ (null);
		this.host = element("div", { class: "panels" });
		this.secondButton = button("Compare two searches", () => this.toggleSecond(), { "aria-pressed": "false" });
		this.pauseButton = button("Pause", () => this.pause(), { "aria-pressed": "false" });
		this.buttons = [
			this.pauseButton,
			...(isServer ? [this.secondButton] : []), // a page without a server has one search
			select(
				TIMES,
				this.seconds,
				(time) => {
					this.seconds = Number(time);
					this.search();
				},
				{ "aria-label": "Seconds for a position" },
			),
			select(
				Array.from({ length: MOST_LINES }, (_, at) => [at + 1, at ? `${at + 1} lines` : "1 line"]),
				linesShown(),
				(count) => {
					keepLines(Number(count));
					for (const panel of this.panels) panel.showLines();
				},
				{ "aria-label": "Lines of each player" },
			),
		];
		this.add();
	}

	get first() {
		return this.panels[0];
	}

	add(algorithm = "") {
		const { engine, game, names, range } = this;
		/** @type {Panel} */
		const panel = new Panel(engine, {
			algorithm,
			title: this.panels.length ? "Second search" : "Search",
			game,
			names,
			range,
			on: { ...this.on, chosen: () => this.begin([panel]) },
		});
		this.panels.push(panel);
		this.host.append(panel.host);
		this.host.classList.toggle("two", this.panels.length === 2);
	}

	toggleSecond() {
		if (this.panels.length === 2) {
			const [panel] = this.panels.splice(1);
			panel.stop();
			panel.host.remove();
			this.host.classList.remove("two");
		} else {
			this.add((this.game.algorithms ?? [])[0]?.spec);
			this.begin(this.panels.slice(1));
		}
		this.secondButton.setAttribute("aria-pressed", String(this.panels.length === 2));
	}

	pause() {
		this.working = !this.working;
		this.pauseButton.setAttribute("aria-pressed", String(!this.working));
		this.pauseButton.textContent = this.working ? "Pause" : "Go on";
		if (this.working) this.search();
		else {
			this.rest();
			this.begin(this.panels);
		}
	}

	/** Ends what is searched. */
	rest() {
		for (const panel of this.panels) panel.stop();
	}

	/**
	 * Searches the position of `ref`; null where the game is over.
	 * @param {GameRef | null} ref
	 * @param {string[]} overlays
	 */
	start(ref, overlays) {
		this.asked = { ref, overlays };
		this.begin(this.panels);
	}

	/** @param {Panel[]} panels */
	begin(panels) {
		if (!this.asked) return;
		const { ref, overlays } = this.asked;
		for (const panel of panels) {
			if (!ref) panel.rest("The game is over.");
			else if (this.working)
				panel.start(ref, { seconds: this.seconds, overlays: panel === this.first ? overlays : [] });
			else if (panel.isOf(ref)) panel.stay();
			else panel.rest("Paused.");
		}
	}

	/** What is shown is of the position before. */
	leave() {
		for (const panel of this.panels) panel.leave();
	}
}

/**
 * Switches for what is on the board: [[label, on, flip(on)], …].
 * @param {[label: string, on: boolean, flip: (on: boolean) => void][]} offered
 */
export function switches(offered) {
	return element(
		"fieldset",
		{ class: "switches" },
		element("legend", { class: "unseen" }, "On the board"),
		...offered.map(([label, on, flip]) => {
			const box = element("input", { type: "checkbox", checked: on, onchange: () => flip(box.checked) });
			return element("label", { class: "switch" }, box, label);
		}),
	);
}

/**
 * The overlays that a game of the catalogue has.
 * @type {(entry: CatalogueGame | null) => string[]}
 */
export const overlayNames = (entry) => (entry?.overlays ?? []).map((one) => (typeof one === "string" ? one : one.name));
