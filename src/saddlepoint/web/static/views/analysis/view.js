// The analysis of one game: its board, the searches at work on it, the moves tried, and the review of the whole game.

import { Board } from "../../../viewer/board.js";
import { Targets } from "../../../viewer/targets.js";
import { button, element } from "../../dom.js";
import { turnsOf } from "../../game.js";
import { shortcuts } from "../../keys.js";
import { tool } from "../../parts.js";
import { tableParams } from "../../seats.js";
import { refToParams } from "../../state.js";
import { signed } from "../numbers.js";
import { chooseGame, droppable } from "../source.js";
import { arrowsOf, arrowsTo } from "./arrows.js";
import { ValueBar } from "./bar.js";
import { positionDrawer } from "./drawer.js";
import { Editor } from "./editor.js";
import { Engine } from "./engine.js";
import { openForm } from "./open.js";
import { goOn, playOnForm } from "./play_on.js";
import { Review } from "./review.js";
import { overlayNames, Searches, switches } from "./searches.js";
import { saidOf } from "./said.js";
import { MOST, Tree, treeOf, writeMoves } from "./tree.js";
import { TreeList } from "./tree_list.js";

const SETTLE = 120; // milliseconds that a position stays before it is searched
const REMEMBERED = 300; // milliseconds after a key before a comment is in the address
const SPOKEN_EVERY = 5000; // milliseconds between two values told to a screen reader

/**
 * @typedef {import("./tree.js").Place} Place
 * @typedef {import("./lessons.js").Lessons} Lessons
 * @typedef {{
 *   source: import("../source.js").Source, params: URLSearchParams, entry: CatalogueGame | null, catalogue: Catalogue,
 *   context: Context, range: Bounds,
 *   places: import("./places.js").Places,
 * }} About
 */

export class Analysis {
	// What build() and plant() make.
	/** @type {Tree} */ tree;
	planted = false; // the server has named the variations
	/** @type {HTMLElement} */ boardHost;
	/** @type {Board} */ board;
	/** @type {ValueBar} */ bar;
	/** @type {HTMLElement} */ trouble;
	/** @type {HTMLElement} */ said;
	/** @type {HTMLElement} */ crumbs;
	/** @type {Review} */ review;
	/** @type {HTMLInputElement} */ slider;
	/** @type {HTMLElement} */ homeButton;
	/** @type {Searches} */ searches;
	/** @type {HTMLDetailsElement} */ fold; // the searches, which the answer of a review comes before
	/** @type {TreeList} */ moves;
	/** @type {HTMLElement} */ chanceHost;
	/** @type {HTMLElement} */ desk; // all but the heading
	/** @type {HTMLTextAreaElement} */ text;
	// What is shown, and what is under way.
	/** @type {Position | null} */ position = null;
	/** @type {Position | null} */ previewing = null;
	/** @type {Lessons | null} */ lessons = null;
	/** @type {string | undefined} */ arriving;
	/** @type {string | null} */ painted = null;
	/** @type {Position | null} */ paintedOn = null;
	/** @type {number | undefined} */ lastSpoken;
	/** @type {ReturnType<typeof setTimeout> | undefined} */ settling;
	/** @type {ReturnType<typeof setTimeout> | undefined} */ remembering;

	/**
	 * @param {HTMLElement} host
	 * @param {About} about
	 */
	constructor(host, { source, params, entry, catalogue, context, range, places }) {
		this.host = host;
		this.source = source;
		this.params = params;
		this.entry = entry;
		this.catalogue = catalogue;
		this.context = context;
		this.range = range;
		this.places = places;
		this.names = source.players;
		this.result = source.data?.result ?? (params.has("lost") ? range[params.get("lost") === "1" ? 1 : 0] : null);
		this.overlays = /** @type {Set<string>} */ (new Set());
		this.showArrows = true;
		this.flipped = false;
		this.half = /** @type {(number | null)[]} */ ([null, null]);
		this.pointed = /** @type {Joint | null} */ (null);
		this.previewed = 0;
		this.frame = 0;
		this.spoken = 0;
		this.removed = /** @type {import("./tree.js").Removed | null} */ (null);
		this.drawn = /** @type {string | null} */ (null); // the tree that the list shows, as text
		this.engine = new Engine((said) => {
			this.trouble.textContent = said;
			this.trouble.hidden = !said;
		});
		this.build();
		this.plant();
		if (params.get("review")) this.review.start(!params.has("at"));
	}

	/**
	 * Makes the tree; what no tree can be made of is told, and the game alone is shown, as it is until the server has
	 * named the variations.
	 * Until then the address keeps what it says.
	 */
	async plant() {
		const { source, params, context } = this;
		this.tree = new Tree(source.moves);
		this.planted = false;
		try {
			const tree = treeOf(params, source.moves, source.variations);
			const shown = this.tree;
			shown.goPlayed(tree.left.depth);
			const { at } = shown;
			if (tree.tried) this.arrive();
			await this.places.name(tree, context.signal);
			tree.take(shown, shown.at !== at);
			this.tree = tree;
			this.drawn = null;
			if (this.removed) this.moves.say(""); // no way back into the former tree
		} catch (error) {
			if (error.name === "AbortError") return;
			this.moves.say(error.message);
		}
		this.planted = true;
		this.arrive();
	}

	build() {
		const { context, entry } = this;
		this.boardHost = element("div", { class: "board" });
		this.board = new Board(this.boardHost, { names: this.names, Targets, onMove: (move) => this.chooseHalf(move) });
		this.bar = new ValueBar(this.names, this.range);
		this.trouble = element("p", { class: "word", hidden: true });
		this.said = element("p", { class: "said" });
		this.crumbs = element("nav", { class: "crumbs", "aria-label": "Where you are" });
		this.review = new Review(this.engine, {
			game: () => ({
				...this.reference(this.source.moves),
				players: this.names,
				result: this.result,
				faults:
					this.source.data?.faults?.map((one, player) => (player === this.source.data?.resigned ? "" : one)) ?? null,
			}),
			range: this.range,
			result: this.places.at(this.source.moves)?.result ?? this.result,
			recorded: this.source.data?.positions?.map((one) => one.value ?? null),
			pictures: async () => {
				const { moves } = this.source;
				await this.places.load(moves, context.signal);
				return this.places.along(moves).map((position) => position?.picture);
			},
			onGo: (at) => this.goPlayed(at),
			onFrom:
				entry &&
				((step, who) => {
					const result = this.places.at(this.source.moves)?.result ?? this.result ?? 0;
					const [view, seats] = goOn(entry, this.params, who, result);
					const { moves } = this.source;
					/** @type {(seat: Seat, player: number, at: number) => boolean} */
					const acts = (seat, player, at) =>
						seat.kind === "you" && (this.places.at(moves.slice(0, at))?.to_act ?? [player]).includes(player);
					let from = step; // the person's last choice: in a game in turn the last move may have been the other's
					while (view === "play" && from > 0 && !seats.some((seat, player) => acts(seat, player, from))) from -= 1;
					this.leaveFor(view, seats, this.reference(moves.slice(0, from)));
				}),
			onSay: context.say,
			onLearn: (lessons) => this.learn(lessons),
			onBegin: () => {
				this.host.classList.add("reviewed");
				this.fold.open = false;
				this.remember();
			},
		});
		const steps = [
			tool("first", "To the start (Home)", () => this.go(0), { small: true }),
			tool("prev", "One move back (←)", () => this.go(this.tree.at.depth - 1), { small: true }),
			tool("next", "One move on (→)", () => this.go(this.tree.at.depth + 1), { small: true }),
			tool("last", "To the end (End)", () => this.go(Infinity), { small: true }),
		];
		this.slider = element("input", {
			type: "range",
			min: 0,
			step: 1,
			"aria-label": "Move",
			oninput: () => this.go(Number(this.slider.value)),
		});
		this.homeButton = button("Back to the game", () => this.backToGame(), { class: "back", hidden: true });
		this.searches = new Searches(this.engine, {
			game: this.entry ?? {},
			names: this.names,
			range: this.range,
			search: () => this.search(),
			on: {
				enter: (joint) => this.enter([joint]),
				walk: (joints) => this.enter(joints),
				point: (joint) => {
					this.pointed = joint;
					this.paint();
				},
				line: (joints) => this.preview(joints),
				changed: () => this.paint(),
			},
		});
		this.fold = element(
			"details",
			{ class: "fold-of-searches", open: true },
			element("summary", {}, "What a search sees in this position"),
			this.searches.host,
		);
		this.moves = new TreeList(
			{
				go: (place) => this.show(place),
				undo: () => this.undo(),
				remove: (place) => this.remove(place),
				promote: (place) => {
					this.tree.promote(place);
					this.arrive();
				},
				commented: () => this.rememberSoon(),
			},
			() => this.places.told?.firstTurn ?? 1,
		);
		this.host.classList.add("analysis");
		this.chanceHost = element("div", { class: "by-chance", hidden: true });
		this.desk = this.makeDesk(steps);
		this.host.append(
			element(
				"div",
				{ class: "heading row" },
				element("h1", {}, "Analysis"),
				element(
					"p",
					{ class: "who" },
					element("span", { class: "player p0" }, this.names[0]),
					" ",
					element("span", { class: "player p1" }, this.names[1]),
					element("span", { class: "note" }, this.entry?.title ?? this.source.game),
				),
				this.chooser(),
			),
			this.trouble,
			this.desk,
		);
		this.keys();
	}

	keys() {
		/** @type {(keys: string[], shown: string, says: string, act: (depth: number) => unknown) => import("../../keys.js").Shortcut} */
		const key = (keys, shown, says, act) => ({
			keys,
			shown,
			says,
			act: (event) => {
				if (!this.lessons) return act(this.tree.at.depth);
				if (event.key === "Escape") this.lessons.onClose(); // the lesson stands in the place of all else
			},
		});
		const beside = (/** @type {-1 | 1} */ way) => {
			const variation = this.tree.beside(way);
			if (!variation) return false;
			this.show(variation);
		};
		shortcuts(this.context.signal, [
			key(["ArrowLeft"], "←", "One move back", (depth) => this.go(depth - 1)),
			key(["ArrowRight"], "→", "One move on", (depth) => this.go(depth + 1)),
			key(["Home"], "Home", "To the start", () => this.go(0)),
			key(["End"], "End", "To the end", () => this.go(Infinity)),
			key(["ArrowUp"], "↑", "To the variation before", () => beside(-1)),
			key(["ArrowDown"], "↓", "To the next variation", () => beside(1)),
			key(["Escape"], "Esc", "Back to the game", () => {
				if (this.tree.at.played) return false;
				this.backToGame();
			}),
		]);
	}

	/** Of a file with several games another one can be chosen. */
	chooser() {
		const { source, params, context, trouble } = this;
		const { data } = source;
		if (!data || ((data.games ?? 1) < 2 && !params.has("r"))) return null;
		return chooseGame("analysis", data, params, context, trouble);
	}

	/** @param {HTMLElement[]} steps */
	makeDesk(steps) {
		/** @type {Parameters<typeof switches>[0]} */
		const overlays = overlayNames(this.entry).map((name) => [
			name,
			false,
			(on) => {
				this.overlays[on ? "add" : "delete"](name);
				this.search();
			},
		]);
		return element(
			"div",
			{ class: "desk" },
			element(
				"div",
				{ class: "left stack" },
				element("div", { class: "board-and-bar" }, this.bar.host, this.boardHost),
				this.said,
				element("div", { class: "stepping row" }, ...steps, this.slider),
				element("div", { class: "row where" }, this.crumbs, this.homeButton),
				this.review.host,
			),
			element(
				"div",
				{ class: "right stack" },
				this.review.answer,
				this.fold,
				this.chanceHost,
				this.moves.host,
				element(
					"div",
					{ class: "row actions" },
					...this.searches.buttons,
					switches([
						[
							"arrows",
							true,
							(on) => {
								this.showArrows = on;
								this.paint();
							},
						],
						...overlays,
						[
							"flipped",
							false,
							(on) => {
								this.flipped = on;
								this.board.flip(on);
								this.paint();
							},
						],
					]),
				),
				playOnForm(this.entry, this.names, (view, seats) => this.leaveFor(view, seats, this.reference())),
				...this.drawers(),
			),
		);
	}

	drawers() {
		const { context, source } = this;
		const { form, file } = openForm(this.catalogue, context, source.game);
		droppable(this.host, file, context.signal);
		this.text = element("textarea", { readonly: true, rows: 3, class: "mono", "aria-label": "This position as text" });
		const lost = this.params.get("lost");
		const line = async () =>
			source.data?.line ??
			context.api.post(
				"/api/line",
				{ ...this.reference(source.moves), players: this.names, ...(lost && { resigned: Number(lost) }) },
				{ kind: "text", signal: context.signal },
			);
		const editor = new Editor({ game: source.game, names: this.names, text: () => this.position?.text ?? "", context });
		return [
			editor.host,
			positionDrawer({ text: this.text, line, variations: () => this.tree.toText() }),
			element("details", { class: "panel" }, element("summary", {}, "Open: another position or a file"), form),
		];
	}

	/** @param {number} depth */
	go(depth) {
		this.tree.go(depth);
		this.arrive();
	}

	/** @param {Place} place */
	show(place) {
		this.tree.at = place;
		this.arrive();
	}

	/**
	 * Shows lessons in the place of all that the analysis knows; null: the analysis again.
	 * @param {Lessons | null} lessons
	 */
	learn(lessons) {
		this.lessons?.host.remove();
		this.lessons = lessons;
		this.desk.hidden = Boolean(lessons);
		if (!lessons) {
			this.arrive();
			return;
		}
		clearTimeout(this.settling);
		this.searches.rest();
		this.host.append(lessons.host);
	}

	/** @param {Place} place */
	remove(place) {
		this.removed = this.tree.remove(place);
		if (!this.removed) return;
		this.moves.say(`${this.removed.count} ${this.removed.count === 1 ? "move is" : "moves are"} deleted.`, true);
		this.arrive();
	}

	undo() {
		if (!this.removed) return;
		this.tree.putBack(this.removed);
		this.moves.say("");
		this.arrive();
	}

	/**
	 * @param {"play" | "watch"} view
	 * @param {Seat[]} seats
	 * @param {GameRef} ref
	 */
	leaveFor(view, seats, ref) {
		const { moves, since, former } = this.source;
		const isOwn = seats.some((seat, player) => seat.kind === "you" && this.names[player] === "You");
		const isPlayed = `${ref.moves}` === `${moves.slice(0, ref.moves.length)}`;
		// Of a game that changed hands twice only the number of moves is kept.
		const hands =
			isOwn && isPlayed ? { since, former } : { since: ref.moves.length, former: since ? undefined : this.names };
		const params = tableParams({ ...ref, ...hands }, seats);
		params.set("new", "1");
		this.context.go(view, params);
	}

	/** @param {number} at */
	goPlayed(at) {
		this.tree.goPlayed(at);
		this.arrive();
	}

	/** @param {Joint[]} joints */
	enter(joints) {
		this.moves.say("");
		try {
			for (const joint of joints) this.tree.enter(joint);
		} catch (error) {
			this.moves.say(error.message);
		}
		this.arrive();
	}

	backToGame() {
		this.tree.back();
		this.arrive();
		this.slider.focus();
	}

	/**
	 * One player's move on the board; in a simultaneous position the other's must follow.
	 * @param {Move} move
	 */
	chooseHalf({ player, action }) {
		const { position } = this;
		if (!position) return;
		if (position.node === "turn") {
			this.enter([player === 0 ? [action, -1] : [-1, action]]);
			return;
		}
		this.half[player] = action;
		const [first, second] = this.half;
		if (first !== null && second !== null) this.enter([[first, second]]);
		else {
			this.board.choosable((position.picture.moves ?? []).filter((move) => move.player !== player));
			this.tell(
				`${this.names[player]}: ${this.nameOf(player, action)}. Now ${this.names[1 - player] === "You" ? "your" : `${this.names[1 - player]}'s`} move.`,
			);
			this.paint();
		}
	}

	/**
	 * @param {number} player
	 * @param {number} action
	 */
	nameOf(player, action) {
		return (
			this.position?.picture.moves?.find((move) => move.player === player && move.action === action)?.name ??
			`${action}`
		);
	}

	/** @param {string} text */
	tell(text) {
		this.said.textContent = text;
	}

	/** Shows the position that the tree is at. What the server refuses is told, and is no move of the tree. */
	async arrive() {
		const before = this.position;
		const { tree } = this;
		const { at, line } = tree;
		const key = (this.arriving = writeMoves(at.moves));
		this.half = [null, null];
		this.pointed = null;
		this.previewed += 1;
		try {
			await this.places.load(line[line.length - 1].moves, this.context.signal);
		} catch (error) {
			if (error.name === "AbortError") return;
			this.moves.say(error.message);
			const refused = line.find((place) => !place.told && !place.played);
			if (!refused) return;
			tree.remove(refused);
			this.arrive();
			return;
		}
		if (this.arriving !== key || this.context.signal.aborted) return;
		this.places.tell(line);
		const position = this.places.at(at.moves);
		if (!position) return; // it is not without load() failing
		this.position = position;
		this.previewing = null;
		this.slider.max = `${line.length - 1}`;
		this.slider.value = `${at.depth}`;
		this.slider.setAttribute("aria-valuetext", `${at.depth} of ${line.length - 1}`);
		this.text.value = position.text;
		this.board.draw(position.picture, { before: before?.picture ?? null, arrows: [], overlays: [] });
		this.board.choosable(position.picture.moves ?? null);
		this.describe(position);
		this.remember();
		const drawn = tree.toText();
		this.moves.draw(tree, { held: drawn === this.drawn });
		this.drawn = drawn;
		this.review.at(tree.left.depth);
		this.searches.leave();
		clearTimeout(this.settling);
		this.settling = setTimeout(() => this.search(), SETTLE);
	}

	/** @param {Position} position */
	describe(position) {
		const { at, left, end } = this.tree;
		this.tell(saidOf(position, at, this.names, this.range, this.source));
		this.homeButton.hidden = at.played;
		const word = this.places.told?.turnWord ?? "move";
		this.crumbs.replaceChildren(
			...(at.played
				? [element("span", { "aria-current": "step" }, turnsOf(word, at.turn, end.turn))]
				: [
						button(`Game, ${word} ${left.turn}`, () => this.backToGame(), { class: "quiet" }),
						element("span", { "aria-current": "step" }, at.name),
					]),
		);
		this.chance(position);
	}

	/**
	 * Where chance moves next: let it.
	 * @param {Position} here
	 */
	chance(here) {
		this.chanceHost.hidden = here.node !== "chance";
		if (here.node !== "chance") return;
		this.chanceHost.replaceChildren(
			button("Let chance decide", async () => {
				const reply = await this.context.api.post("/api/chance", this.reference(), { signal: this.context.signal });
				if (this.position === here) this.enter([[reply.outcome, -1]]);
			}),
		);
	}

	/** @returns {GameRef} */
	reference(moves = this.tree.at.moves) {
		const { game, start, since, former } = this.source;
		return { game, start, moves, ...(since && { since: Math.min(since, moves.length), former }) };
	}

	search() {
		if (!this.position) return;
		this.paint();
		this.searches.start(this.position.node === "over" ? null : this.reference(), [...this.overlays]);
	}

	/** Draws the arrows, overlays and values of what is known by now, at most once a frame. */
	paint() {
		if (this.frame) return;
		this.frame = requestAnimationFrame(() => {
			this.frame = 0;
			const { position } = this;
			if (!position) return;
			const { first } = this.searches;
			this.bar.show(this.value(position), this.flipped);
			if (!this.previewing) {
				const { picture } = position;
				const arrows = this.pointed
					? arrowsTo(this.pointed, picture)
					: this.half.some((one) => one !== null)
						? arrowsTo(
								this.half.map((one) => one ?? -1),
								picture,
							)
						: this.showArrows
							? arrowsOf(first.table, picture)
							: [];
				const overlays = first.overlays.filter((one) => this.overlays.has(one.name));
				const text = JSON.stringify([arrows, overlays]);
				if (text !== this.painted || this.paintedOn !== position)
					this.board.draw(picture, { animate: false, arrows, overlays });
				this.painted = text;
				this.paintedOn = position;
			}
			this.speak(first.reading);
		});
	}

	/** @param {Position} position */
	value(position) {
		if (position.node === "over") return position.result;
		return this.searches.first.reading?.value ?? null;
	}

	/**
	 * Tells a screen reader the value now and then, not at every depth.
	 * @param {Reading | null} found
	 */
	speak(found) {
		const now = Date.now();
		if (!found || found.value === this.lastSpoken || now - this.spoken < SPOKEN_EVERY) return;
		this.spoken = now;
		this.lastSpoken = found.value;
		this.context.say(
			`Depth ${found.depth}: ${signed(found.value)} to ${this.names[0]}${found.exact ? ", exact" : ""}.`,
		);
	}

	/**
	 * Plays a line out on the board, or ends that.
	 * @param {Joint[] | null} joints
	 */
	async preview(joints) {
		const mine = (this.previewed += 1);
		if (!joints) {
			const { position } = this;
			if (!this.previewing || !position) return;
			this.previewing = null;
			this.board.draw(position.picture, { animate: false });
			this.board.choosable(position.picture.moves ?? null);
			this.describe(position);
			this.painted = null;
			this.paint();
			return;
		}
		const line = [...this.tree.at.moves, ...joints];
		try {
			await this.places.load(line, this.context.signal);
		} catch {
			return;
		}
		const shown = this.places.at(line);
		if (mine !== this.previewed || !shown) return;
		this.previewing = shown;
		this.board.draw(shown.picture, { before: this.places.at(line.slice(0, -1))?.picture ?? null });
		this.board.choosable(null);
		this.tell(`${joints.length} on: ${(shown.names ?? []).filter(Boolean).join(" / ")}`);
	}

	remember() {
		if (!this.planted) return;
		const { tree, source, review } = this;
		const params = source.data ? new URLSearchParams(source.link ?? "") : refToParams(this.reference(source.moves));
		for (const name of source.data ? [] : ["p0", "p1", "s0", "s1", "lost"]) {
			const value = this.params.get(name);
			if (value) params.set(name, value);
		}
		const text = tree.isMore || source.variations ? tree.toText() : "";
		const tooLong = text.length > MOST.link;
		if (text && !tooLong) params.set("t", text);
		// With a review that is done the place is always told: without it a reload would go to where the game was lost.
		if ((tree.at !== tree.end || (review.asked && !review.jump)) && !tooLong)
			params.set("at", `${tree.places.indexOf(tree.at)}`);
		if (review.asked) params.set("review", "1");
		this.moves.linked(!tooLong);
		this.context.remember(params);
	}

	/** While a comment is being written. */
	rememberSoon() {
		clearTimeout(this.remembering);
		this.remembering = setTimeout(() => this.remember(), REMEMBERED);
	}

	close() {
		clearTimeout(this.settling);
		clearTimeout(this.remembering);
		cancelAnimationFrame(this.frame);
		this.engine.close();
		this.lessons?.close();
		this.board.destroy();
	}
}
