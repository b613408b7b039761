// The moves of who is to move, the best first, each with what it is worth.

import { element } from "../../dom.js";
import { leaning, signed } from "../numbers.js";

export class MoveList {
	/**
	 * As Matrix.
	 * @param {HTMLElement} host
	 * @param {import("./matrix.js").Heed} heed
	 */
	constructor(host, { onEnter, onPoint, range = /** @type {Bounds} */ ([-1, 1]) }) {
		this.host = host;
		this.onEnter = onEnter;
		this.onPoint = onPoint;
		this.range = range;
		/** @type {Map<number, { made: HTMLElement, button: HTMLElement, value: HTMLElement }>} by action */
		this.items = new Map();
		this.list = element("ol", {
			class: "ranking",
			"aria-label": "Moves and what they are worth to player 0, the best first",
		});
		this.list.addEventListener("pointerleave", () => onPoint(null));
		this.list.addEventListener("focusout", () => onPoint(null));
		host.replaceChildren(this.list);
	}

	/**
	 * Shows what each move is worth.
	 * @param {MovesMessage} found
	 */
	show({ player, moves }) {
		const sign = [1, -1][player] ?? 0; // outcomes of chance stay in their order
		const worth = (/** @type {number | null} */ value) => (value === null ? -Infinity : sign * value);
		const sorted = moves
			.map((move, place) => ({ move, place }))
			.sort((a, b) => (sign && worth(b.move[2]) - worth(a.move[2])) || a.place - b.place)
			.map(({ move }) => move);
		const known = new Set();
		const focused = /** @type {HTMLElement | null} */ (document.activeElement);
		sorted.forEach(([action, name, value], place) => {
			known.add(action);
			const item = this.items.get(action) ?? this.item(player, action, name);
			item.value.textContent = value === null ? "…" : signed(value);
			const lean = value === null ? 0 : leaning(value, this.range);
			item.button.dataset.value = `${value ?? ""}`;
			item.button.classList.toggle("down", lean < 0);
			item.button.style.setProperty("--strength", `${Math.round(100 * Math.abs(lean))}%`);
			if (this.list.children[place] !== item.made) this.list.insertBefore(item.made, this.list.children[place] ?? null);
		});
		for (const [action, item] of this.items) {
			if (known.has(action)) continue;
			item.made.remove();
			this.items.delete(action);
		}
		// What is moved in the list loses the focus.
		if (this.list.contains(focused) && document.activeElement !== focused) focused?.focus();
	}

	/**
	 * @param {number} player
	 * @param {number} action
	 * @param {string} name
	 */
	item(player, action, name) {
		/** @type {Joint} */
		const joint = player === 1 ? [-1, action] : [action, -1];
		const value = element("span", { class: "worth" });
		const button = element(
			"button",
			{
				type: "button",
				onclick: () => this.onEnter(joint),
				onpointerenter: () => this.onPoint(joint),
				onfocus: () => this.onPoint(joint),
			},
			element("span", { class: "name" }, name),
			value,
		);
		const item = { made: element("li", {}, button), button, value };
		this.items.set(action, item);
		return item;
	}
}
