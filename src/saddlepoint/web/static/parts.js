// Parts that playing and watching share: the line of a player, the list of moves, the buttons to walk through it.
import { button, element } from "./dom.js";
import { icon } from "./icons.js";

/**
 * The line of a player: its name, its numbers, whether it thinks or has won.
 * @param {number} player
 * @param {string} name
 * @returns {PlayerLine}
 */
export function playerLine(player, name) {
	const numbers = element("span", { class: "numbers" });
	const note = element("span", { class: "note" });
	const node = element(
		"div",
		{ class: `line p${player}` },
		element("span", { class: `player p${player}` }, name),
		note,
		numbers,
	);
	return {
		node,
		draw(picture, { acting = false, text = "", won = false } = {}) {
			node.classList.toggle("acting", acting);
			node.classList.toggle("won", won);
			note.textContent = text;
			numbers.replaceChildren(...(picture.numbers || []).filter((one) => one.owner === player).map(number));
		},
	};
}

/**
 * One number of a position, with its bar where it has a most.
 * @param {Figure} one
 */
export function number(one) {
	const value = Number.isInteger(one.value) ? one.value : one.value.toFixed(2);
	return element(
		"span",
		{ class: "number" },
		element("span", { class: "note" }, one.label),
		` ${value}`,
		one.most ? element("meter", { min: 0, max: one.most, value: one.value, "aria-hidden": "true" }) : null,
	);
}

/**
 * Tells the layout how wide the board is for its height.
 * @param {HTMLElement} host
 * @param {Picture} picture
 */
export function fit(host, picture) {
	const ratio = picture.width ? Math.min(Math.max(picture.width / picture.height, 0.6), 2.2) : 1.2;
	host.parentElement?.style.setProperty("--ratio", ratio.toFixed(3));
	// cells do not grow without end
	host.parentElement?.style.setProperty("--most", `${picture.width ? picture.width * 10 : 34}rem`);
}

/**
 * Button with an icon, and the words beside it or (small) only for screen readers and as a tip.
 * @param {Parameters<typeof icon>[0]} name
 * @param {string} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {Attributes & { small?: boolean }} [how]
 */
export function tool(name, label, onclick, { small = false, ...attributes } = {}) {
	const node = button(
		"",
		onclick,
		small ? { "aria-label": label, title: label, class: "icon quiet", ...attributes } : attributes,
	);
	node.replaceChildren(icon(name), ...(small ? [] : [label]));
	return node;
}

const LONG = 11; // characters of a turn that fit into half of the list

/**
 * The list of the moves played; onPick(k) is called with the number of a position.
 * A simultaneous move is one entry with both names.
 * @param {(pick: number) => void} onPick
 */
export function moveList(onPick, firstTurn = 1) {
	const node = element("ol", { class: "history", "aria-label": "Moves" });
	let length = 0;
	const isLong = (/** @type {ListedPosition} */ { names }) => (names ?? []).join(" ").length > LONG;
	return {
		node,
		/**
		 * @param {ListedPosition[]} positions
		 * @param {number} shown
		 */
		draw(positions, shown) {
			if (positions.length - 1 < length) {
				node.replaceChildren();
				length = 0;
			}
			for (; length < positions.length - 1; length += 1) node.append(entry(positions, length + 1, onPick, firstTurn));
			node.classList.toggle("long", positions.some(isLong));
			const items = [...node.querySelectorAll("li")];
			items.forEach((item, at) => {
				if (at + 1 === shown) item.firstElementChild?.setAttribute("aria-current", "step");
				else item.firstElementChild?.removeAttribute("aria-current");
			});
			const now = items[shown - 1]?.getBoundingClientRect();
			const { top } = node.getBoundingClientRect();
			node.scrollTop = now ? node.scrollTop + now.top - top - (node.clientHeight - now.height) / 2 : 0;
		},
	};
}

/**
 * The same with buttons, which call onPick with `first`, `prev`, `next` or `last`.
 * @param {(pick: Step) => void} onPick
 */
export function history(onPick, firstTurn = 1) {
	const list = moveList(onPick, firstTurn);
	const step = (/** @type {"first" | "prev" | "next" | "last"} */ name, /** @type {string} */ label) =>
		tool(name, label, () => onPick(name), { small: true });
	const steps = {
		first: step("first", "First position"),
		prev: step("prev", "Position before"),
		next: step("next", "Next position"),
		last: step("last", "Last position"),
	};
	const bar = element("div", { class: "row steps" }, ...Object.values(steps));
	return {
		node: element("div", { class: "moves" }, list.node, bar),
		/**
		 * @param {ListedPosition[]} positions
		 * @param {number} shown
		 */
		draw(positions, shown) {
			list.draw(positions, shown);
			steps.first.disabled = steps.prev.disabled = shown === 0;
			steps.next.disabled = steps.last.disabled = shown === positions.length - 1;
		},
	};
}

/**
 * The number of the position that a step of the history leads to.
 * @param {Step} pick
 * @param {number} shown
 * @param {number} last
 */
export function stepTo(pick, shown, last) {
	if (typeof pick === "number") return pick;
	return { first: 0, prev: Math.max(0, shown - 1), next: Math.min(last, shown + 1), last }[pick];
}

/**
 * @param {ListedPosition[]} positions
 * @param {number} at
 * @param {(pick: number) => void} onPick
 * @param {number} firstTurn
 */
function entry(positions, at, onPick, firstTurn) {
	const { names, chance } = positions[at]; // a replay has what chance drew apart from the names
	const drawn = positions[at - 1].node === "chance" ? names?.find(Boolean) : chance;
	const parts =
		drawn || !names
			? [element("span", { class: "chance" }, drawn ?? "–")]
			: names.flatMap((name, player) => (name ? element("span", { class: `move p${player}` }, name) : []));
	const { turn } = positions[at];
	const number = drawn || turn === undefined ? "" : `${turn - 1 + firstTurn}`; // what chance does is no turn
	const pick = button("", () => onPick(at), { class: "quiet", "data-number": number });
	pick.replaceChildren(...parts);
	return element("li", {}, pick);
}
