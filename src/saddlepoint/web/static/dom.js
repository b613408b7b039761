// Elements in one line each.

/** element("p", {class: "note", onclick: f}, "text", child, …); attributes that are null, undefined or false are left out. */
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function button(label, onclick, attributes = {}) {
  return element("button", { type: "button", onclick, ...attributes }, label);
}

/** A <select>; options: [[value, text], …]. */
export function select(options, value, onchange, attributes = {}) {
  const node = element("select", { onchange: () => onchange?.(node.value), ...attributes },
    ...options.map(([one, text]) => element("option", { value: one }, text)));
  node.value = value;
  return node;
}

/** A label with its control. */
export function field(label, control, note = "") {
  return element("label", { class: "field" }, element("span", {}, label), control, note ? element("small", {}, note) : null);
}

/** A file for the person to keep. */
export function download(name, text, type = "text/plain") {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
