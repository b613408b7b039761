// Play a friend: two people at two places, or the people of a room, each with a secret link.
//
// Address: #/friend opens a table or a room; #/friend?k=KEY is a seat, a place to look on, or a place in a room.
import { button, element } from "../dom.js";
import { Line } from "./friend/line.js";
import { Opening } from "./friend/opening.js";
import { Room } from "./friend/room.js";
import { Table } from "./friend/table.js";
import { stylesheet } from "./stylesheet.js";

/** @type {View["mount"]} */
export async function mount(host, params, context) {
	if (!context.api.isServer)
		throw new context.api.Refused("This page has no server, and two places need one: `saddlepoint serve`.");
	const [catalogue] = await Promise.all([context.catalogue(), stylesheet("static/views/friend.css", context.signal)]);
	const key = params.get("k");
	if (!key) {
		new Opening(host, catalogue, params, context);
		return null;
	}
	const title = element("h1", { class: "unseen" }, "Play a friend"), // until something is shown that has its own
		notice = element("p", { class: "notice", role: "status" }, "One moment");
	host.append(title, notice);
	/** @type {Table | Room | null} */
	let shown = null;
	const line = new Line(key, hear, (away) => {
		notice.hidden = !away && Boolean(shown);
		notice.textContent = away ? "The server does not answer; the page tries again." : "One moment";
	});
	context.signal.addEventListener("abort", () => line.close());

	/** @param {TableHeard} message */
	function hear(message) {
		if (message.kind === "seat") {
			context.go("friend", { k: message.key });
		} else if (message.kind === "gone") {
			line.close();
			notice.hidden = false;
			notice.replaceChildren(
				element("p", {}, message.error),
				button("Open a new one", () => context.go("friend")),
			);
		} else if (message.kind === "error") {
			shown?.refuse(message.error);
		} else {
			notice.hidden = true;
			title.remove();
			shown ??=
				message.kind === "table" ? new Table(host, catalogue, line, context) : new Room(host, catalogue, line, context);
			shown.hear(/** @type {any} */ (message));
		}
	}
	return () => {
		line.close();
		shown?.close();
	};
}
