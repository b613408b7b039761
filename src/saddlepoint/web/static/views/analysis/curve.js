// The expected result over a game as a curve: a click, or the arrow keys, go to a position; a table says the same in
// words.

import { drawGraph } from "../../../viewer/graph.js";
import { element } from "../../dom.js";
import { inSentence } from "../../game.js";
import { signed } from "../numbers.js";

export class Curve {
	/**
	 * `length` positions after the first; `onGo(step)`; `names` of the players.
	 * @param {{ length: number, range: Bounds, names: string[], onGo: (step: number) => void }} about
	 */
	constructor({ length, range, names, onGo }) {
		this.length = length;
		this.range = range;
		this.names = names;
		this.onGo = onGo;
		this.here = 0;
		this.host = element("div", {
			class: "graph",
			role: "slider",
			tabindex: 0,
			"aria-label": `Expected result to ${inSentence(names[0])}, position by position`,
			"aria-valuemin": 0,
			"aria-valuemax": length,
			"aria-valuenow": 0,
			hidden: true,
			onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
		});
		this.table = element(
			"details",
			{ class: "curve-table", hidden: true },
			element("summary", {}, "The curve as a table"),
		);
	}

	/**
	 * @param {(number | null)[]} values
	 * @param {number} here
	 * @param {number[]} marked
	 */
	draw(values, here, marked) {
		this.here = here;
		this.host.hidden = values.every((value) => value === null);
		if (this.host.hidden) return;
		drawGraph(this.host, joined(values), {
			at: here,
			onPick: this.onGo,
			turningPoints: marked,
			range: this.range,
			names: this.names,
		});
		this.host.setAttribute("aria-valuenow", `${here}`);
		this.host.setAttribute(
			"aria-valuetext",
			`Position ${here} of ${this.length}: ${values[here] === null ? "not known" : signed(values[here])}`,
		);
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		/** @type {Record<string, number>} */
		const steps = {
			ArrowLeft: this.here - 1,
			ArrowDown: this.here - 1,
			ArrowRight: this.here + 1,
			ArrowUp: this.here + 1,
			Home: 0,
			End: this.length,
		};
		const to = steps[event.key];
		if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
		event.preventDefault();
		event.stopPropagation(); // the page's own arrow keys would go one further
		this.onGo(Math.max(0, Math.min(this.length, to)));
	}

	/**
	 * What is drawn, turn by turn.
	 * @param {ReviewedTurn[]} turns
	 * @param {string} word
	 */
	tell(turns, word) {
		this.table.hidden = !turns.length;
		this.table.querySelector("table")?.remove();
		const name = inSentence(this.names[0]);
		const head = [word, ...this.names, `Worth to ${name}`];
		this.table.append(
			element(
				"table",
				{ class: "figures" },
				element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))),
				element(
					"tbody",
					{},
					...turns.map(({ turn, moves, value, exact }) =>
						element(
							"tr",
							{},
							element("th", { scope: "row" }, `${turn}`),
							...moves.map((move) => element("td", {}, move ?? "")),
							element("td", {}, `${exact ? "" : "about "}${signed(value)}`),
						),
					),
				),
			),
		);
	}
}

/**
 * A step of chance that was passed over leaves no gap in the line.
 * @param {(number | null)[]} values
 */
function joined(values) {
	return values.map((value, at) =>
		value === null && at > 0 && at < values.length - 1 && values[at + 1] !== null ? values[at - 1] : value,
	);
}
