// The form that opens a table for two, or a room for many.
import { button, element, field, select } from "../../dom.js";
import { Game } from "../../game.js";
import { keep } from "../../state.js";
import { nameField } from "./links.js";

const CLOCKS = [
	["", "No clock"],
	["1/1", "1 min each and 1 s a move"],
	["3/2", "3 min each and 2 s a move"],
	["5/0", "5 min each"],
	["10/5", "10 min each and 5 s a move"],
	["30/0", "30 min each"],
];

export class Opening {
	/**
	 * @param {HTMLElement} host
	 * @param {Catalogue} catalogue
	 * @param {URLSearchParams} params
	 * @param {Context} context
	 */
	constructor(host, catalogue, params, context) {
		this.context = context;
		const wanted = params.get("g");
		const games = catalogue.games.map((game) => [game.spec, game.title]);
		if (wanted && !games.some(([spec]) => spec === wanted)) games.unshift([wanted, wanted]);
		this.game = select(games, wanted ?? catalogue.games[0].spec);
		this.name = nameField();
		this.clock = select(CLOCKS, "");
		this.problem = element("p", { class: "note", role: "alert" });
		this.title = element("input", { type: "text", maxlength: 24, placeholder: "A room" });
		this.ladder = select(
			[
				["", "Rounds that you begin"],
				["1", "Whoever is free (a ladder)"],
			],
			"",
		);
		this.best = element("input", { type: "checkbox", checked: true });
		const begin = element("button", { class: "main", type: "submit" }, "Open the table");
		host.append(
			element(
				"div",
				{ class: "hello" },
				element("h1", {}, "Play a friend"),
				element(
					"p",
					{ class: "note" },
					"You get a secret link to send. Nobody sees the other's choice before both have chosen.",
				),
			),
			element(
				"form",
				{
					class: "panel stack options friend-form",
					onsubmit: (/** @type {Event} */ event) => {
						event.preventDefault();
						this.open(false);
					},
				},
				element(
					"div",
					{ class: "fields" },
					field("Game", this.game),
					field("Your name", this.name),
					field("Clock", this.clock),
				),
				element("div", { class: "row" }, begin),
				element(
					"details",
					{},
					element("summary", {}, "A room for a class or a club"),
					element(
						"div",
						{ class: "stack" },
						element(
							"p",
							{ class: "note" },
							"One link for all. Whoever opens it gives a name, and is paired with the others; you see the table.",
						),
						element(
							"div",
							{ class: "fields" },
							field("Name of the room", this.title),
							field("Who plays whom", this.ladder),
						),
						element("label", { class: "choice" }, this.best, "The program plays whoever is left over"),
						element(
							"div",
							{ class: "row" },
							button("Open the room", () => this.open(true)),
						),
					),
				),
				this.problem,
			),
		);
		context.title("Play a friend");
	}

	/** @param {boolean} room */
	async open(room) {
		const [minutes, increment] = this.clock.value.split("/").map(Number);
		const clock = this.clock.value ? { minutes, increment } : {};
		const name = this.name.value.trim();
		const { api, signal } = this.context;
		this.problem.textContent = "One moment";
		try {
			if (!room) keep("name", name);
			const { ref } = room ? { ref: null } : await Game.begin({ game: this.game.value }, { signal });
			const { key } = ref
				? await api.post("/api/tables", { game: ref.game, start: ref.start, name, ...clock }, { signal })
				: await api.post(
						"/api/rooms",
						{
							game: this.game.value,
							title: this.title.value.trim(),
							ladder: this.ladder.value === "1",
							best: this.best.checked,
							...clock,
						},
						{ signal },
					);
			this.context.go("friend", { k: key });
		} catch (error) {
			if (error.name === "AbortError") return;
			this.problem.textContent = error.message;
			if (error.name !== "Refused") throw error;
		}
	}
}
