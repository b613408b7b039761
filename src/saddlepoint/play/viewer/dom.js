// Small helpers to make elements.

// Asked of the browser: pages that need no network spell no address out, and a test looks for any.
const SVG = (() => {
  const template = document.createElement("template");
  template.innerHTML = "<svg></svg>";
  return template.content.firstChild.namespaceURI;
})();

function filled(element, attributes, parent) {
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  parent?.append(element);
  return element;
}

export const svg = (name, attributes = {}, parent = null) => filled(document.createElementNS(SVG, name), attributes, parent);
export const html = (name, attributes = {}, parent = null) => filled(document.createElement(name), attributes, parent);

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
  return element;
}

// Whether nothing is to move.
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
