// Secret links, as somebody else can open them, and people's names.
import { button, element, field } from "../../dom.js";
import { keep, kept } from "../../state.js";

/** @type {(name: string) => boolean} */
const isLoopback = (name) => name === "localhost" || name === "[::1]" || name.startsWith("127.");

/**
 * The address that opens a key.
 * @param {string} key
 * @param {Entrance} entrance
 */
export function linkTo(key, { query, outside }) {
	const here = `${location.origin}${location.pathname}`;
	return `${isLoopback(location.hostname) && outside ? outside : here}${query}#/friend?k=${key}`;
}

/**
 * A link to send, with a button that copies it.
 * @param {string} label
 * @param {string} key
 * @param {Entrance} entrance
 */
export function linkBox(label, key, entrance) {
	const input = element("input", {
		type: "text",
		readonly: true,
		value: linkTo(key, entrance),
		onfocus: () => input.select(),
	});
	const copy = button("Copy", async () => {
		input.select();
		try {
			await navigator.clipboard.writeText(input.value);
		} catch {
			document.execCommand("copy"); // without TLS a page has no clipboard of its own
		}
		copy.textContent = "Copied";
		setTimeout(() => {
			copy.textContent = "Copy";
		}, 2000);
	});
	const local = isLoopback(location.hostname) && !entrance.outside;
	return element(
		"div",
		{},
		element("div", { class: "row nowrap link" }, field(label, input), copy),
		local &&
			element(
				"small",
				{},
				"It opens on this machine only; for others start ",
				element("code", {}, "saddlepoint serve --host 0.0.0.0"),
				", or use a proxy.",
			),
	);
}

/** The name that was used last in this browser. */
export const formerName = () => String(kept("name", ""));

/** A field for one's name. */
export function nameField() {
	return element("input", {
		type: "text",
		maxlength: 24,
		autocomplete: "nickname",
		value: formerName(),
		required: true,
	});
}

/**
 * A form with a name and one button.
 * @param {string} label
 * @param {(name: string) => void} onName
 */
export function nameForm(label, onName) {
	const name = nameField();
	return element(
		"form",
		{
			class: "stack",
			onsubmit: (/** @type {Event} */ event) => {
				event.preventDefault();
				keep("name", name.value.trim());
				onName(name.value.trim());
			},
		},
		field("Your name", name),
		element("button", { class: "main", type: "submit" }, label),
	);
}

/**
 * The clock of a game in words.
 * @param {{ minutes: number | null, increment: number }} clock
 */
export function clockText({ minutes, increment }) {
	if (minutes === null) return "without a clock";
	return `with ${minutes} min each${increment ? ` and ${increment} s a move` : ""}`;
}
