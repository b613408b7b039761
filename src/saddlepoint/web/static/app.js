// The page's shell: routes, the bar at the top, dark and light, the line that says that the server is away.
//
// How a view registers itself: it is a file `views/NAME.js`, and its name is in VIEWS below. It is loaded when it is
// first opened. It exports
//     mount(host, params, context)   -> unmount(), or a promise of it
// host:    an empty element that is the view's alone until unmount() is called.
// params:  a URLSearchParams of what follows `?` in the fragment `#/NAME?…`.
// context: {
//   api           from api.js: get, post; they wait and try again while the server does not answer
//   catalogue()   -> promise of GET /api/catalogue, asked for once
//   go(name, params)        opens another view (params: a URLSearchParams, or an object of texts)
//   remember(params)        writes params into the address without opening anything (for links and reloads)
//   title(text)             what stands in the browser's tab
//   say(text)               for screen readers
//   signal                  an AbortSignal that ends with the view: give it to listeners and requests
// }
// When only the params change (a link inside the view, back and forth), the view is mounted anew, unless its module
// exports `update(params)` and that returns true.
// Helpers for elements are in dom.js, for games in state.js (references, addresses, what is kept in this browser).

import * as api from "./api.js";
import { button, element, isIn, known } from "./dom.js";
import { icon } from "./icons.js";
import { waitText } from "./state.js";

/**
 * Views, and what the bar at the top calls them (nothing: not in the bar).
 * @type {Record<string, string>}
 */
const VIEWS = {
	start: "",
	play: "Play",
	friend: "",
	watch: "Watch",
	analysis: "Analysis",
	replay: "Replay",
	arena: "Arena",
	fit: "",
};

let host = known("view");
const nav = known("nav");
const spoken = known("spoken");
const preparing = known("preparing");
const offline = known("offline");
/** @type {{ name: string, params: URLSearchParams, over: AbortController, module?: View, unmount?: Unmount } | null} */
let current = null;
/** @type {string | null} */
let written = null;

/** @type {Omit<Context, "signal">} */
const context = {
	api,
	catalogue: api.catalogue,
	go(name, params = {}) {
		const to = address(name, params);
		if (location.hash !== to) {
			location.hash = to;
			return;
		}
		written = null; // the same again, such as another game from the same start: no event tells it
		show();
	},
	remember(params) {
		written = address(current?.name ?? "start", params);
		history.replaceState(null, "", written);
	},
	title(text) {
		document.title = text ? `${text} – Saddlepoint` : "Saddlepoint";
	},
	say(text) {
		spoken.textContent = spoken.textContent === text ? `${text}\u00a0` : text;
	},
};

/**
 * The fragment that opens a view.
 * @param {string} name
 * @param {Params} [params]
 */
export function address(name, params = {}) {
	const text = new URLSearchParams(params).toString().replaceAll("%2C", ",");
	return `#/${name === "start" ? "" : name}${text ? `?${text}` : ""}`;
}

function route() {
	const [, name, rest] = /^#?\/?([^?]*)\??(.*)$/s.exec(location.hash) || [];
	return { name: name || "start", params: new URLSearchParams(rest) };
}

async function show() {
	if (location.hash === "#view") {
		host.focus();
		return;
	}
	if (location.hash === written && current) return;
	written = null;
	const next = route();
	if (current?.name === next.name && current.module?.update?.(next.params)) return;
	const before = current;
	/** @type {NonNullable<typeof current>} */
	const mine = { ...next, over: new AbortController() };
	current = mine;
	before?.over.abort();
	before?.unmount?.();
	for (const link of nav.children) {
		if (link.getAttribute("data-name") === next.name) link.setAttribute("aria-current", "page");
		else link.removeAttribute("aria-current");
	}
	if (before) {
		// What index.html has of the first screen stays until there is the same. A view that was left while it came must not change the next.
		const fresh = /** @type {typeof host} */ (host.cloneNode(false));
		host.replaceWith(fresh);
		host = fresh;
	}
	const isKnown = Object.hasOwn(VIEWS, next.name);
	host.className = isKnown ? `view-${next.name}` : "";
	context.title(isKnown ? VIEWS[next.name] : "No such page");
	try {
		if (!isKnown) throw new api.Refused(`There is no page #/${next.name}.`);
		/** @type {View} */
		const view = await import(`./views/${next.name}.js`);
		mine.module = view;
		if (mine !== current) return;
		if (!before) host.replaceChildren();
		const unmount = await view.mount(host, next.params, {
			...context,
			signal: mine.over.signal,
			remember: (more) => {
				if (mine === current) context.remember(more);
			}, // the address is the next view's
		});
		if (mine !== current) {
			unmount?.();
			return;
		}
		mine.unmount = unmount;
		if (before && !host.contains(document.activeElement)) host.focus({ preventScroll: true });
	} catch (error) {
		if (mine !== current || error.name === "AbortError") return;
		host.replaceChildren(
			element("h1", { class: "unseen" }, "Not shown"),
			element(
				"div",
				{ class: "notice", role: "alert" },
				element("p", {}, error.message || String(error)),
				element("p", {}, element("a", { href: "#/" }, "To the games")),
			),
		);
		if (!(error instanceof api.Refused)) console.error(error);
	}
}

for (const [name, label] of Object.entries(VIEWS)) {
	if (label && (api.isServer || name !== "arena"))
		nav.append(element("a", { href: `#/${name}`, "data-name": name }, label));
}
// Asked for while the view is loaded; who needs it learns what went wrong. Fits are in the bar only where the server
// was given some.
api
	.catalogue()
	.then(({ fits }) => {
		if (fits?.length)
			nav.append(
				element(
					"a",
					{ href: "#/fit", "data-name": "fit", "aria-current": current?.name === "fit" ? "page" : null },
					"Fit",
				),
			);
	})
	.catch(() => {});
const theme = known("theme");
theme.append(icon("theme"));
theme.addEventListener("click", () => {
	const chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
	document.documentElement.dataset.theme = chosen;
	try {
		localStorage.setItem("sp.theme", chosen);
	} catch {
		/* it lasts until the page is closed */
	}
});
const showKeys = async () => (await import("./keys.js")).showKeys();
const keys = known("keys");
keys.addEventListener("click", showKeys);
document.addEventListener("keydown", (event) => {
	if (event.key === "?" && !isIn(event, "input, textarea, select")) showKeys();
});
api.onConnection((away) => {
	offline.hidden = !away;
	offline.replaceChildren(
		...(away
			? [
					element("span", {}, "The server does not answer; trying again."),
					button("Now", () => api.tryNow(), { class: "quiet" }),
				]
			: []),
	);
});
api.onPreparing((wait) => {
	preparing.hidden = !wait;
	if (wait) preparing.textContent = waitText(wait);
});
addEventListener("hashchange", show);
show();
