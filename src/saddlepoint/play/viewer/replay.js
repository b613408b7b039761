// Steps through a game: GAME DATA as play/viewer/__init__.py makes it.

import { Board } from "./board.js";
import { unpack } from "./data.js";
import { html, setText, svg } from "./dom.js";
import { drawGraph } from "./graph.js";
import { drawNumbers } from "./numbers.js";
import { Scoreboard } from "./scoreboard.js";

const SPEEDS = [0.5, 1, 2, 4, 8]; // positions a second
const ICONS = {
	first: "M5 4v12M15 4l-8 6l8 6z",
	back: "M13.500 4l-8 6l8 6z",
	play: "M6 4l10 6l-10 6z",
	pause: "M6.500 4.500v11M13.500 4.500v11",
	on: "M6.500 4l8 6l-8 6z",
	last: "M15 4v12M5 4l8 6l-8 6z",
};

export class ReplayViewer {
	/** @type {Scoreboard} */ score;
	/** @type {Board} */ board;
	/** @type {HTMLElement} */ line;
	/** @type {Record<string, HTMLButtonElement>} */ buttons;
	/** @type {HTMLElement} */ counter;
	/** @type {HTMLSelectElement} */ speeds;
	/** @type {HTMLInputElement} */ slider;
	/** @type {HTMLElement} */ graph;
	/** @type {(number | null)[] | null} */ values;
	/** @type {HTMLElement} */ note;
	/** @type {HTMLElement} */ numbers;
	/** @type {ReturnType<typeof setInterval> | undefined} */ timer;
	/** @type {(event: KeyboardEvent) => void} */ onKey;

	/**
	 * @param {HTMLElement} host
	 * @param {GameData} game
	 * @param {{ onStep?: ((at: number) => void) | null }} [about]
	 */
	constructor(host, game, { onStep = null } = {}) {
		this.host = host;
		const [first, second] = game.players;
		this.called = called(game.titles ?? game.players, game.players);
		this.game = first === second ? { ...game, players: [`${first} (0)`, `${second} (1)`] } : game;
		this.positions = unpack(game.positions);
		this.onStep = onStep;
		this.speed = 1;
		this.loop = false;
		this.now = -1;
		this.build();
		this.go(0);
	}

	get at() {
		return this.now;
	}

	get length() {
		return this.positions.length;
	}

	/**
	 * What an address asks for: at=N, speed=2, loop=1, play=1. It does not play by itself for who wants less motion.
	 * @param {URLSearchParams} params
	 */
	follow(params) {
		const speed = Number(params.get("speed"));
		if (SPEEDS.includes(speed)) {
			this.speed = speed;
			this.speeds.value = `${speed}`;
		}
		this.loop = params.get("loop") === "1";
		this.go(Number(params.get("at")) || 0);
		if (params.get("play") === "1" && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.play(true);
	}

	/**
	 * Show position n; the nearest there is.
	 * @param {number} n
	 */
	go(n) {
		const to = Math.max(0, Math.min(this.length - 1, Math.round(n)));
		if (to === this.now) return;
		const one = this.positions[to];
		const near = Math.abs(to - this.now) === 1;
		this.now = to;
		this.board.draw(one.picture, { animate: near, lastNames: one.names, ...(near ? {} : { before: null }) });
		this.slider.value = `${to}`;
		this.slider.setAttribute("aria-valuetext", `${this.count()}: ${this.said()}`);
		setText(this.counter, this.count());
		setText(this.line, this.said());
		setText(this.note, this.noted(one));
		this.score.draw({
			numbers: one.picture.numbers,
			result: to === this.length - 1 ? this.game.result : null,
			middle: this.middle,
			round: this.count(),
			used: this.used(),
		});
		drawNumbers(this.numbers, one.picture.numbers, this.game.players);
		if (this.values)
			drawGraph(this.graph, this.values, {
				at: to,
				range: this.game.range,
				names: this.game.players,
				onPick: (at) => this.go(at),
			});
		const [start, end] = [to === 0, to === this.length - 1];
		this.buttons.first.toggleAttribute("disabled", start);
		this.buttons.back.toggleAttribute("disabled", start);
		this.buttons.on.toggleAttribute("disabled", end);
		this.buttons.last.toggleAttribute("disabled", end);
		if (end && !this.loop) this.play(false);
		this.onStep?.(to);
	}

	play(on = !this.timer) {
		clearInterval(this.timer);
		this.timer = undefined;
		if (on && this.length > 1) {
			if (this.now === this.length - 1) this.go(0);
			this.timer = setInterval(() => this.go(this.now < this.length - 1 ? this.now + 1 : 0), 1000 / this.speed);
		}
		this.icon("play", this.timer ? "pause" : "play");
		this.buttons.play.setAttribute("aria-label", this.timer ? "Pause" : "Play");
	}

	destroy() {
		this.play(false);
		this.board.destroy();
		this.host.replaceChildren();
		this.host.removeEventListener("keydown", this.onKey);
	}

	// -- words ------------------------------------------------------------------------------------------------------

	// The result of a draw.
	get middle() {
		const [low, high] = this.game.range ?? [-1, 1];
		return (low + high) / 2;
	}

	count() {
		const { turns, turn_word: word } = this.game;
		const count = turns[this.length - 1];
		return `${turns[this.now]} / ${count} ${word}${count === 1 ? "" : "s"}`;
	}

	// The seconds that each player had used.
	used() {
		return [0, 1].map(
			(player) => this.positions.slice(0, this.now + 1).reduce((sum, one) => sum + (one.ms?.[player] ?? 0), 0) / 1000,
		);
	}

	said() {
		const one = this.positions[this.now];
		const end = this.now === this.length - 1 ? this.outcome() : "";
		if (this.now === 0) return end || "start";
		const names = one.names ?? [];
		const parts = [0, 1]
			.filter((player) => names[player] !== null && names[player] !== undefined)
			.map((player) => `${this.game.players[player]}: ${names[player]}`);
		if (one.chance !== null && one.chance !== undefined) parts.push(`chance: ${one.chance}`);
		return [parts.join(", "), end].filter(Boolean).join(" · ");
	}

	outcome() {
		const { result, reason, faults = [], why: reasons = [], players } = this.game;
		if (result === null || result === undefined) return "";
		const won = result === this.middle ? "a draw" : `${players[result > this.middle ? 0 : 1]} won`;
		const why = faults.map((fault, player) => fault && `${players[player]}: ${fault}`).filter(Boolean);
		const told = [/\bwon\b|\bdraw/.test(reason ?? "") ? reason : won, ...why].join("; ");
		return reasons.length ? `${told}. ${reasons.join(" ")}` : told;
	}

	/** @param {ReplayPosition} one */
	noted(one) {
		const times = (one.ms ?? [])
			.map((ms, player) =>
				typeof ms === "number" && one.names?.[player]
					? `${this.game.players[player]} ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
					: "",
			)
			.filter(Boolean);
		if (one.value !== null && one.value !== undefined)
			times.push(`value ${signed(one.value)}${one.depth ? ` at depth ${one.depth}` : ""}`);
		return times.join(" · ");
	}

	// -- what it is made of -------------------------------------------------------------------------------------------

	build() {
		const { host, game } = this; // its players' names differ
		host.classList.add("sp-replay");
		host.setAttribute("role", "group");
		host.setAttribute("aria-label", `Game: ${game.players[0]} against ${game.players[1]}`);
		this.score = new Scoreboard(host, {
			title: game.title ?? "",
			event: game.event,
			limits: game.limits,
			players: this.called,
		});
		this.board = new Board(html("div", { class: "sp-stage" }, host), { names: game.players });
		this.line = html("p", { class: "sp-said", role: "status", "aria-live": "polite" }, host);
		const controls = html("div", { class: "sp-controls" }, host);
		this.buttons = {};
		/** @type {Record<string, () => void>} */
		const press = {
			first: () => this.go(0),
			back: () => this.go(this.now - 1),
			play: () => this.play(),
			on: () => this.go(this.now + 1),
			last: () => this.go(this.length - 1),
		};
		for (const [name, label] of /** @type {[keyof typeof ICONS, string][]} */ ([
			["first", "First position"],
			["back", "One back"],
			["play", "Play"],
			["on", "One on"],
			["last", "Last position"],
		])) {
			const button = html(
				"button",
				{ type: "button", class: `sp-${name}`, "aria-label": label, title: label },
				controls,
			);
			this.buttons[name] = button;
			this.icon(name, name);
			button.addEventListener("click", () => {
				if (name !== "play") this.play(false);
				press[name]();
			});
		}
		this.counter = html("span", { class: "sp-count" }, controls);
		const speed = (this.speeds = html(
			"select",
			{ class: "sp-speed", "aria-label": "Positions a second", title: "Positions a second" },
			controls,
		));
		for (const one of SPEEDS) setText(html("option", { value: one, selected: one === 1 }, speed), `${one}×`);
		speed.addEventListener("change", () => {
			this.speed = Number(speed.value);
			if (this.timer) this.play(true);
		});
		this.slider = html(
			"input",
			{ type: "range", class: "sp-slider", min: 0, max: this.length - 1, value: 0, step: 1, "aria-label": "Position" },
			host,
		);
		this.slider.addEventListener("input", () => {
			this.play(false);
			this.go(Number(this.slider.value));
		});
		this.graph = html("div", {}, host);
		this.values = this.positions.some((one) => one.value !== null && one.value !== undefined)
			? this.positions.map((one) => one.value ?? null)
			: null;
		if (!this.values) this.graph.remove();
		this.note = html("p", { class: "sp-note" }, host);
		this.numbers = html("div", {}, host);
		this.onKey = (event) => this.key(event);
		host.addEventListener("keydown", this.onKey);
	}

	/**
	 * @param {string} button
	 * @param {keyof typeof ICONS} name
	 */
	icon(button, name) {
		const drawing = svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" });
		svg("path", { d: ICONS[name] }, drawing);
		this.buttons[button].replaceChildren(drawing);
	}

	// Arrows, space, Home and End, wherever the focus is in the viewer; a page may pass its own keys on to it.
	/** @param {KeyboardEvent} event */
	key(event) {
		const on = event.target instanceof Element ? event.target.localName : "";
		if (event.altKey || event.ctrlKey || event.metaKey || on === "select") return;
		const onButton = on === "button";
		/** @type {Record<string, (() => void) | null>} */
		const acts = {
			ArrowLeft: () => this.go(this.now - 1),
			ArrowRight: () => this.go(this.now + 1),
			Home: () => this.go(0),
			End: () => this.go(this.length - 1),
			" ": onButton ? null : () => this.play(),
		};
		const act = acts[event.key];
		if (!act) return;
		event.preventDefault();
		if (event.key !== " ") this.play(false);
		act();
	}
}

/**
 * What the two are called on the scoreboard, in words with their specs; two of one name have their colours with it.
 * @param {string[]} titles
 * @param {string[]} specs
 */
export function called(titles, specs) {
	const same = titles[0] === titles[1];
	return titles.map((title, player) => ({
		name: same ? `${title}, ${player ? "orange" : "blue"}` : title,
		spec: specs[player],
	}));
}

/** @type {(value: number) => string} */
const signed = (value) => {
	const text = Math.abs(value).toFixed(3);
	return Number(text) === 0 ? text : (value > 0 ? "+" : "\u2212") + text;
};
