// The table that playing and watching share: the board between the lines of the two players, and the panel at its side.
import { Board } from "../viewer/board.js";
import { Targets } from "../viewer/targets.js";
import { element } from "./dom.js";
import { fit, history, number, playerLine } from "./parts.js";

export class Frame {
	/**
	 * top: what stands above the board, or null; panel: in the panel between the status and the list of moves; more:
	 * below the panel.
	 * @param {HTMLElement} host
	 * @param {{ title: string, names: string[], flipped?: boolean, firstTurn: number, onMove?: ((move: Move) => void) | null, onPick: (pick: Step) => void, top?: Child, panel: Child[], more: Child[] }} about
	 */
	constructor(host, { title, names, flipped = false, firstTurn, onMove = null, onPick, top = null, panel, more }) {
		this.flipped = flipped;
		this.boardHost = element("div", { class: "board" });
		this.status = element("p", { class: "status", role: "status" });
		this.detail = element("p", { class: "note detail" });
		this.lines = names.map((name, player) => playerLine(player, name));
		this.nobodys = element("div", { class: "numbers" });
		this.history = history(onPick, firstTurn);
		this.places = [element("div", { class: "seat top-seat" }), element("div", { class: "seat" })];
		this.node = element(
			"div",
			{ class: "table" },
			element("div", { class: "play-board" }, top, this.places[0], this.boardHost, this.places[1]),
			element(
				"aside",
				{ class: "side", "aria-label": "Game" },
				element(
					"div",
					{ class: "panel stack" },
					element("div", {}, this.status, this.detail),
					this.nobodys,
					...panel,
					this.history.node,
				),
				element("div", { class: "row more" }, ...more),
			),
		);
		host.append(element("h1", { class: "unseen" }, title), this.node);
		this.board = new Board(this.boardHost, { Targets, onMove, flipped, names });
		this.seat();
	}

	/** Who sits below the board: player 0, or player 1 when it is flipped. */
	seat() {
		const low = this.flipped ? 1 : 0;
		this.places[0].replaceChildren(this.lines[1 - low].node);
		this.places[1].replaceChildren(this.lines[low].node);
	}

	flip() {
		this.flipped = !this.flipped;
		this.board.flip(this.flipped);
		this.seat();
	}

	/**
	 * Draws position `shown`; drawn: what else Board.draw takes. Lines are drawn by drawLines.
	 * @param {Position[]} positions
	 * @param {number} shown
	 * @param {import("../viewer/board.js").HowToDraw} [drawn]
	 */
	draw(positions, shown, drawn = {}) {
		const { picture, names } = positions[shown];
		fit(this.boardHost, picture);
		this.board.draw(picture, { before: shown ? positions[shown - 1].picture : null, lastNames: names, ...drawn });
		this.nobodys.replaceChildren(
			...(picture.numbers || []).filter((one) => one.owner !== 0 && one.owner !== 1).map(number),
		);
		this.history.draw(positions, shown);
	}

	/**
	 * The players' lines.
	 * @param {Picture} picture
	 * @param {(player: number) => LineState} told
	 */
	drawLines(picture, told) {
		this.lines.forEach((line, player) => line.draw(picture, told(player)));
	}

	destroy() {
		this.board.destroy();
	}
}
