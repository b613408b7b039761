// A position edited as text, with a board beside it that follows. Where the server finds out which character of the
// text is which cell,
// a click on a cell puts the chosen symbol there.

import { Board } from "../../../viewer/board.js";
import { button, element } from "../../dom.js";
import { COLOURS } from "../../game.js";
import { refToParams } from "../../state.js";

const PAUSE = 250; // milliseconds after a key before the text is read

/** @typedef {Grid & { length: number, chosen: string | undefined }} Offered the symbols, of a text of that length */

export class Editor {
	/** @type {Board | undefined} */ board;
	/** @type {ReturnType<typeof setTimeout> | undefined} */ reading;

	/**
	 * `text()`: the position to begin with.
	 * @param {{ game: string, names: string[], text: () => string, context: Context }} about
	 */
	constructor({ game, names, text, context }) {
		this.game = game;
		this.names = names;
		this.begin = text;
		this.context = context;
		this.grid = /** @type {Offered | null} */ (null);
		this.began = ""; // the text before it was edited
		this.good = /** @type {{ text: string, picture: Picture } | null} */ (null); // the last text that was a position
		this.made = /** @type {ReadPosition | null} */ (null); // what the server made of the text
		this.asked = 0;
		this.boardHost = element("div", { class: "board" });
		this.symbols = element("div", {
			class: "row symbols",
			role: "group",
			"aria-label": "What a click on a cell puts there",
			hidden: true,
		});
		this.field = element("textarea", {
			rows: 9,
			class: "mono",
			spellcheck: "false",
			"aria-label": "The position as text",
			oninput: () => this.readSoon(),
		});
		this.said = element("p", { class: "word", role: "status" });
		this.go = button("Analyse this position", () => this.analyse(), { class: "main", disabled: true });
		this.boardSide = element("div", { class: "stack" }, this.boardHost, this.symbols);
		this.body = element(
			"div",
			{ class: "editor" },
			this.boardSide,
			element(
				"div",
				{ class: "stack" },
				this.field,
				this.said,
				element(
					"div",
					{ class: "row" },
					this.go,
					button("Begin again", () => this.start()),
				),
			),
		);
		// What was not edited is of the position before, where another one is shown by now.
		/** @type {HTMLDetailsElement} */
		this.host = element(
			"details",
			{
				class: "panel",
				ontoggle: () => {
					if (this.host.open && this.field.value === this.began) this.start();
				},
			},
			element("summary", {}, "Edit the position"),
			this.body,
		);
		this.boardHost.addEventListener("click", (event) => this.click(event));
		context.signal.addEventListener("abort", () => {
			clearTimeout(this.reading);
			this.board?.destroy();
		});
	}

	start() {
		this.board ??= new Board(this.boardHost, { names: this.names });
		this.field.value = this.begin();
		this.began = this.field.value;
		this.grid = this.good = null;
		this.read();
	}

	readSoon() {
		this.go.disabled = true;
		clearTimeout(this.reading);
		this.reading = setTimeout(() => this.read(), PAUSE);
	}

	async read() {
		clearTimeout(this.reading);
		this.go.disabled = true;
		const mine = (this.asked += 1);
		const text = this.field.value;
		const body = { game: this.game, text, grid: this.grid?.length !== text.length };
		/** @type {ReadPosition | null} */
		let made = null;
		let wrong = "";
		try {
			made = await this.context.api.post("/api/from-text", body, { signal: this.context.signal });
		} catch (error) {
			if (error.name === "AbortError") return;
			wrong = error.message;
		}
		if (mine !== this.asked) return;
		this.made = made;
		this.body.classList.toggle("wrong", !made);
		this.go.disabled = !made;
		this.said.textContent = wrong;
		if (made) this.good = { text, picture: made.position.picture };
		if (this.good) this.board?.draw(made ? this.good.picture : this.changed(text, this.good), { animate: false });
		if (!made) return;
		if (body.grid) this.offer(made.grid ?? null, text);
	}

	/**
	 * The last picture that there was, with the characters that were put on its cells since: the text is no position yet.
	 * @param {string} text
	 * @param {{ text: string, picture: Picture }} good
	 * @returns {Picture}
	 */
	changed(text, { picture, text: before }) {
		if (!this.grid || text.length !== before.length || text.length !== this.grid.length) return picture;
		const put = this.grid.cells.flatMap((row, y) =>
			row.flatMap((at, x) =>
				at === null || text[at] === before[at] ? [] : [{ x, y, shape: "square", label: text[at].trim() }],
			),
		);
		const isPut = (/** @type {Piece} */ one) => put.some(({ x, y }) => x === one.x && y === one.y);
		return { ...picture, pieces: [...(picture.pieces ?? []).filter((one) => !isPut(one)), ...put] };
	}

	/**
	 * Offers the symbols that a click puts on a cell, where the text is a grid.
	 * @param {Grid | null} grid
	 * @param {string} text
	 */
	offer(grid, text) {
		const chosen = this.grid?.chosen;
		this.grid = grid && {
			...grid,
			length: text.length,
			chosen:
				grid.symbols.find((one) => one === chosen) ?? grid.symbols.find((one) => one !== text[grid.cells[0][0] ?? -1]),
		};
		this.boardSide.classList.toggle("places-symbols", Boolean(grid));
		this.symbols.hidden = !grid;
		if (!grid) return;
		this.symbols.replaceChildren(
			element("span", { class: "note" }, "A click puts"),
			...grid.symbols.map((one, place) => {
				const owner = grid.owners[place];
				const made = button(one === " " ? "blank" : one, () => this.choose(one), {
					"aria-pressed": String(one === this.grid?.chosen),
					"data-symbol": one,
				});
				if (owner !== null) made.append(element("span", { class: `player p${owner}` }, COLOURS[owner]));
				if (grid.words[place]) made.append(element("span", { class: "note" }, grid.words[place]));
				return made;
			}),
		);
	}

	/** @param {string} symbol */
	choose(symbol) {
		if (this.grid) this.grid.chosen = symbol;
		for (const one of this.symbols.querySelectorAll("button"))
			one.setAttribute("aria-pressed", String(one.dataset.symbol === symbol));
	}

	/** @param {MouseEvent} event */
	click(event) {
		const { grid, board } = this;
		const cell = grid && board?.picture?.width ? board.cellAt(event.clientX, event.clientY) : null;
		const at = grid && cell && grid.cells[cell[1]]?.[cell[0]];
		if (!grid || at === null || at === undefined || this.field.value.length !== grid.length) return;
		const marks = [...this.field.value];
		const chosen = grid.chosen ?? marks[at];
		// What there is one of is moved; it changes places with another such one.
		if (grid.single.includes(chosen)) {
			const from = grid.cells.flat().find((one) => one !== null && marks[one] === chosen);
			if (from !== null && from !== undefined)
				marks[from] = grid.single.includes(marks[at]) ? marks[at] : this.blank(grid, marks);
		}
		marks[at] = chosen;
		this.field.value = marks.join("");
		this.read();
	}

	/**
	 * The symbol that most cells have: nothing lies there.
	 * @param {Grid} grid
	 * @param {string[]} marks
	 */
	blank({ cells, symbols }, marks) {
		const all = cells.flat().map((at) => (at === null ? "" : marks[at]));
		const count = (/** @type {string} */ one) => all.filter((mark) => mark === one).length;
		return [...symbols].sort((one, other) => count(other) - count(one))[0];
	}

	analyse() {
		if (this.made)
			this.context.go("analysis", refToParams({ game: this.made.game, start: this.made.start, moves: [] }));
	}
}
