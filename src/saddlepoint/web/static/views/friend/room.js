// A room: who is there, who plays whom, the standing; for its host the link to send and the next round.
import { button, element } from "../../dom.js";
import { entryOf, noSuchGame } from "../../seats.js";
import { clockText, linkBox, nameForm } from "./links.js";

export class Room {
	/** @type {RoomMessage | null} */ told = null;

	/**
	 * @param {HTMLElement} host
	 * @param {Catalogue} catalogue
	 * @param {import("./line.js").Line} line
	 * @param {Context} context
	 */
	constructor(host, catalogue, line, context) {
		this.catalogue = catalogue;
		this.line = line;
		this.context = context;
		this.head = element("div", { class: "hello" });
		this.door = element("div", { class: "stack" });
		this.problem = element("p", { class: "note", role: "alert" });
		/** @type {number | null} */
		this.asking = null; // whom the host is about to remove
		this.list = element("div", { class: "panel" });
		host.append(element("div", { class: "stack room" }, this.head, this.door, this.problem, this.list));
	}

	close() {}

	/** @param {string} sentence */
	refuse(sentence) {
		this.problem.textContent = sentence;
	}

	/** @param {RoomMessage} message */
	hear(message) {
		const before = this.told;
		this.told = message;
		const entry = entryOf(this.catalogue, message.game);
		if (!entry) {
			this.refuse(noSuchGame(message.game));
			return;
		}
		// A game that has begun is opened by itself; who comes back from one stays.
		if (message.seat && before && before.seat !== message.seat) {
			this.context.go("friend", { k: message.seat });
			return;
		}
		this.problem.textContent = "";
		this.context.title(message.title);
		const round = message.ladder ? "A ladder" : message.round ? `Round ${message.round}` : "Before the first round";
		this.head.replaceChildren(
			element("h1", {}, message.title),
			element("p", { class: "note" }, `${entry.title}, ${clockText(message)}. ${round}.`),
		);
		if (!before || before.seat !== message.seat) this.door.replaceChildren(...this.doorOf(message));
		this.list.replaceChildren(this.table(message));
	}

	/**
	 * What somebody can do here.
	 * @param {RoomMessage} message
	 * @returns {HTMLElement[]}
	 */
	doorOf(message) {
		if (message.host && message.door)
			return [
				linkBox("Send this link to everybody", message.door, message.entrance),
				element(
					"div",
					{ class: "row" },
					message.ladder ? "" : button("Next round", () => this.line.send({ do: "round" }), { class: "main" }),
					element(
						"p",
						{ class: "note" },
						"See the games: ",
						element("code", {}, `saddlepoint report ${message.ledger}`),
					),
				),
			];
		if (message.person === null)
			return [
				element(
					"div",
					{ class: "panel invitation" },
					nameForm("Come in", (name) => this.line.send({ do: "sit", name })),
				),
			];
		if (message.seat)
			return [element("a", { class: "button main", href: `#/friend?k=${message.seat}` }, "To your game")];
		return [
			element(
				"p",
				{ role: "status" },
				message.ladder ? "You play as soon as somebody is free." : "You play in the next round.",
				" The address of this page is your place here, on any device.",
			),
		];
	}

	/**
	 * A button that removes somebody when it is clicked twice.
	 * @param {{ name: string, number: number }} one
	 * @param {RoomMessage} message
	 */
	removal({ name, number }, message) {
		const sure = this.asking === number;
		return button(
			sure ? `Remove ${name}?` : "Remove",
			() => {
				this.asking = sure ? null : number;
				if (sure) this.line.send({ do: "remove", person: number });
				this.list.replaceChildren(this.table(message));
				/** @type {HTMLElement | null} */ (this.list.querySelector(`[data-person="${number}"]`))?.focus();
			},
			{ class: "quiet", "data-person": number, "aria-label": sure ? null : `Remove ${name}` },
		);
	}

	/** @param {RoomMessage} message */
	table(message) {
		const order = message.people
			.map((one, number) => ({ ...one, number }))
			.filter((one) => !one.removed || one.games)
			.sort((one, other) => other.score - one.score || one.games - other.games);
		if (!order.length) return element("p", { class: "note" }, "Nobody has come in yet.");
		const row = (/** @type {typeof order[0]} */ one) =>
			element(
				"tr",
				one.number === message.person ? { "aria-current": "true" } : {},
				element("th", { scope: "row" }, one.name),
				element("td", {}, `${one.score}`),
				element("td", {}, `${one.games}`),
				element(
					"td",
					{},
					one.watch
						? element("a", { href: `#/friend?k=${one.watch}` }, "plays; look on")
						: one.removed
							? "was removed"
							: one.here
								? "is here"
								: "is away",
				),
				message.host && element("td", {}, !one.level && !one.removed && this.removal(one, message)),
			);
		return element(
			"table",
			{ class: "standing" },
			element("caption", { class: "unseen" }, "The people of the room"),
			element(
				"thead",
				{},
				element(
					"tr",
					{},
					...["Name", "Points", "Games", "Now", ...(message.host ? ["Remove"] : [])].map((head) =>
						element("th", { scope: "col" }, head),
					),
				),
			),
			element("tbody", {}, ...order.map(row)),
		);
	}
}
