// The moves of an analysis as a list: the main line, each variation inset under the move that it could replace, and
// comments.

import { button, element } from "../../dom.js";
import { MOST, cleanComment, walk } from "./tree.js";

/**
 * @typedef {import("./tree.js").Place} Place
 * @typedef {{ go: (place: Place) => void, promote: (place: Place) => void, remove: (place: Place) => void, undo: () => void, commented: (place: Place) => void }} Handlers
 */

export class TreeList {
	/** @type {Place} */ shown;

	/**
	 * @param {Handlers} on
	 * @param {() => number} firstTurn
	 */
	constructor(on, firstTurn) {
		this.on = on;
		this.firstTurn = firstTurn;
		/** @type {Map<Place, { made: HTMLButtonElement, comment: HTMLElement }>} */
		this.buttons = new Map();
		this.list = element("div", { class: "tree", role: "group", "aria-label": "Moves and variations" });
		/** @type {HTMLTextAreaElement} */
		this.note = element("textarea", {
			rows: 2,
			maxlength: MOST.comment,
			"aria-label": "Comment on this move",
			placeholder: "Say something about this move",
			oninput: () => {
				this.shown.comment = cleanComment(this.note.value);
				this.sayComment(this.shown);
				on.commented(this.shown);
			},
		});
		this.noteHost = element("div", { hidden: true }, this.note);
		this.commentButton = button("Comment", () => this.openNote(Boolean(this.noteHost.hidden)), {
			class: "quiet",
			"aria-expanded": "false",
		});
		this.promoteButton = button("Make it the main line", () => on.promote(this.shown), { class: "quiet" });
		this.removeButton = button("Delete from here", () => on.remove(this.shown), { class: "quiet" });
		this.undoButton = button("Undo", () => on.undo(), { hidden: true });
		this.said = element("p", { class: "word", role: "status" });
		this.tooMuch = element("p", { class: "word", role: "status", hidden: true });
		this.host = element(
			"section",
			{ class: "panel stack moves-of-analysis", "aria-label": "Moves" },
			this.list,
			element("div", { class: "row tree-tools" }, this.commentButton, this.promoteButton, this.removeButton),
			this.noteHost,
			element("div", { class: "row" }, this.said, this.undoButton),
			this.tooMuch,
		);
	}

	/** @param {string} text */
	say(text, undo = false) {
		this.said.textContent = text;
		this.hide(this.undoButton, !undo);
	}

	/**
	 * Says so where the address cannot hold all of it.
	 * @param {boolean} all
	 */
	linked(all) {
		const text = all ? "" : "There is too much here for a link. Save it as a file.";
		if (text === this.tooMuch.textContent) return;
		this.tooMuch.hidden = all;
		this.tooMuch.textContent = text;
	}

	/**
	 * Hides a button or shows it; the focus goes from it to the move that is shown.
	 * @param {HTMLElement} one
	 * @param {boolean} hidden
	 */
	hide(one, hidden) {
		if (hidden && one === document.activeElement) this.buttons.get(this.shown)?.made.focus({ preventScroll: true });
		one.hidden = hidden;
	}

	/** @param {boolean} open */
	openNote(open) {
		this.noteHost.hidden = !open;
		this.commentButton.setAttribute("aria-expanded", String(open));
		if (open) this.note.focus();
	}

	/**
	 * Draws the whole tree; `held`: where nothing but the place shown is another one, only that is marked.
	 * @param {import("./tree.js").Tree} tree
	 */
	draw(tree, { held = false } = {}) {
		if (!held) this.build(tree);
		const hadFocus = this.list.contains(document.activeElement);
		for (const [place, { made }] of this.buttons) {
			const here = place === tree.at;
			if (here) made.setAttribute("aria-current", "step");
			else made.removeAttribute("aria-current");
			made.tabIndex = here ? 0 : -1;
		}
		const isOther = this.shown !== tree.at;
		this.shown = tree.at;
		const made = this.buttons.get(tree.at)?.made;
		if (hadFocus) made?.focus({ preventScroll: true });
		if (made) this.scrollTo(made);
		this.hide(this.removeButton, this.shown.played);
		this.hide(this.promoteButton, tree.isMain(this.shown));
		this.commentButton.textContent = this.shown.comment ? "Edit the comment" : "Comment";
		if (isOther || document.activeElement !== this.note) this.note.value = this.shown.comment;
	}

	/**
	 * Only the list itself scrolls, never the page.
	 * @param {HTMLElement} made
	 */
	scrollTo(made) {
		const [box, frame] = [made.getBoundingClientRect(), this.list.getBoundingClientRect()];
		if (box.top < frame.top || box.bottom > frame.bottom) this.list.scrollTop += box.top - frame.top - frame.height / 2;
	}

	/** @param {import("./tree.js").Tree} tree */
	build({ root }) {
		const had = this.list.contains(document.activeElement);
		const { scrollTop } = this.list;
		this.buttons.clear();
		const main = element("ol", { class: "line-of-moves" }, this.item(root));
		/** @type {{ line: HTMLElement, beside: HTMLElement }[]} the lines that are open, each with its last move */
		const open = [{ line: main, beside: main }];
		for (const [what, place] of walk(root.next[0], root.next.slice(1))) {
			const last = open[open.length - 1];
			if (what === "move") {
				last.beside = this.item(place);
				last.line.append(last.beside);
			} else if (what === "open") {
				const line = element("ol", { class: "line-of-moves" });
				let list = last.beside.querySelector(":scope > ul");
				if (!list)
					last.beside.append((list = element("ul", { class: "variations", "aria-label": "Instead of this move" })));
				list.append(element("li", {}, line));
				open.push({ line, beside: line });
			} else open.pop();
		}
		this.list.replaceChildren(main);
		this.list.scrollTop = scrollTop;
		if (had) this.list.querySelector("button")?.focus({ preventScroll: true }); // draw() moves it on
	}

	/** @param {Place} place */
	item(place) {
		const made = button("", () => this.on.go(place), { class: "quiet" });
		made.append(...words(place, this.firstTurn()));
		const comment = element("span", { class: "comment" });
		this.buttons.set(place, { made, comment });
		this.sayComment(place);
		return element("li", {}, made, comment);
	}

	/** @param {Place} place */
	sayComment(place) {
		const comment = this.buttons.get(place)?.comment;
		if (!comment) return;
		comment.textContent = place.comment.trim();
		comment.hidden = !place.comment.trim();
	}
}

/**
 * A move in the list: its turn's number, and the names of what the players chose, or of what chance drew.
 * @param {Place} place
 * @param {number} firstTurn
 * @returns {HTMLElement[]}
 */
function words(place, firstTurn) {
	if (!place.before) return [element("span", { class: "number" }, "Start")];
	const { names, chance, turn } = place.told ?? {};
	/** @type {Names} */
	const all = names ?? place.joint.map((action) => (action < 0 ? null : `#${action}`));
	const said = chance
		? [element("span", { class: "chance" }, names?.[0] ?? "chance")]
		: all.flatMap((name, player) => (name ? [element("span", { class: `owner${player}` }, name)] : []));
	return chance || turn === undefined
		? said
		: [element("span", { class: "number" }, `${turn - 1 + firstTurn}`), ...said];
}
