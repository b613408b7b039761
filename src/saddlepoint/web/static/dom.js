// Elements in one line each.

/**
 * element("p", {class: "note", onclick: f}, "text", child, …); attributes that are null, undefined or false are left
 * out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 */
export function element(tag, attributes = {}, ...children) {
	return filled(document.createElement(tag), attributes, children);
}

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 */
export function svg(tag, attributes = {}, ...children) {
	return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/**
 * @template {Element} T
 * @param {T} node
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function filled(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes)) {
		if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
		else if (value === true) node.setAttribute(name, "");
		else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
	}
	for (const child of children)
		if (child !== null && child !== undefined && child !== false)
			node.append(typeof child === "number" ? `${child}` : child);
	return node;
}

/**
 * @param {Child} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {Attributes} [attributes]
 */
export function button(label, onclick, attributes = {}) {
	return element("button", { type: "button", onclick, ...attributes }, label);
}

/**
 * A <select>; options: [[value, text], …].
 * @param {(string | number)[][]} options
 * @param {string | number} value
 * @param {((value: string) => void) | null} [onchange]
 * @param {Attributes} [attributes]
 */
export function select(options, value, onchange, attributes = {}) {
	const node = element(
		"select",
		{ onchange: () => onchange?.(node.value), ...attributes },
		...options.map(([one, text]) => element("option", { value: one }, text)),
	);
	node.value = `${value}`;
	return node;
}

/**
 * A label with its control.
 * @param {string} label
 * @param {HTMLElement} control
 */
export function field(label, control, note = "") {
	return element(
		"label",
		{ class: "field" },
		element("span", {}, label),
		control,
		note ? element("small", {}, note) : null,
	);
}

/**
 * A file for the person to keep.
 * @param {string} name
 * @param {string} text
 */
export function download(name, text, type = "text/plain") {
	const link = element("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * The element of that id, which index.html has.
 * @param {string} id
 */
export function known(id) {
	const found = document.getElementById(id);
	if (!found) throw Error(`the page has no element ${id}`);
	return found;
}

/**
 * Whether an event happened in an element of that selector.
 * @param {Event} event
 * @param {string} selector
 */
export const isIn = ({ target }, selector) => target instanceof Element && target.closest(selector) !== null;
