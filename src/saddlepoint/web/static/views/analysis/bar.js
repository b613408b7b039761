// The value bar beside the board: how much of it is player 0's.

import { element } from "../../dom.js";
import { leaning, signed } from "../numbers.js";

export class ValueBar {
	/**
	 * @param {string[]} names
	 * @param {Bounds} range
	 */
	constructor(names, range) {
		this.names = names;
		this.range = range;
		this.text = element("span", {});
		this.host = element(
			"div",
			{
				class: "value-bar",
				role: "meter",
				"aria-label": `Value to ${names[0]}`,
				"aria-valuemin": range[0],
				"aria-valuemax": range[1],
				"aria-valuenow": (range[0] + range[1]) / 2,
				"aria-valuetext": "not known yet",
			},
			element("i", {}),
			this.text,
		);
	}

	/**
	 * A value to player 0, or null while it is not known.
	 * @param {number | null} value
	 */
	show(value, flipped = false) {
		this.host.classList.toggle("flipped", flipped);
		this.host.classList.toggle("unknown", value === null);
		if (value === null) {
			this.text.textContent = "";
			this.host.setAttribute("aria-valuetext", "not known yet");
			return;
		}
		const part = (leaning(value, this.range) + 1) / 2;
		this.host.style.setProperty("--part", `${(100 * part).toFixed(1)}%`);
		this.host.classList.toggle("low", part < 0.5);
		this.text.textContent = signed(value, 1);
		this.host.setAttribute("aria-valuenow", value.toFixed(3));
		this.host.setAttribute("aria-valuetext", signed(value));
	}
}
