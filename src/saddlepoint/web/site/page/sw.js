// Keeps the page in this browser: once it was open, it opens without a network. A newer page takes the place of this
// one when no tab has it open.
//
// Each file is kept under its own name, as an answer of our own making. What a host answers may be marked as
// redirected, which a browser
// refuses when it opens a page, or say by `Vary` for which requests alone it holds.
/** @type {Record<string, string>} */
const FILES = {}; // by their names, the digests of their content
const OURS = `saddlepoint ${registration.scope} `; // another page of this library may lie beside this one
const NAME = `${OURS}VERSION`;
const PAGE = "index.html";

/** @type {(name: string) => string} */
const address = (name) => new URL(name, registration.scope).href;
const names = new Map(Object.keys(FILES).map((name) => [address(name), name]));
for (const name of ["", "index"]) names.set(address(name), PAGE);

/**
 * The file from the host, of this version: while a host is renewed, it may have files of two.
 * @param {string} name
 * @returns {Promise<{ key: string, response: Response }>}
 */
async function fetched(name) {
	// Hosts write into pages (counters, links), so only the page itself may differ from what was exported.
	/** @type {RequestInit} */
	const options = { cache: "reload", mode: "same-origin", ...(name === PAGE ? {} : { integrity: FILES[name] }) };
	const response = (await again(name, options)) ?? (await fetch(address(name), options));
	if (!response.ok) throw Error(`${name}: ${response.status}`);
	const headers = new Headers(response.headers);
	headers.delete("vary");
	return { key: address(name), response: new Response(await response.arrayBuffer(), { headers }) };
}

/**
 * A solution as the page has just loaded it: it is the largest file by far, and need not come twice.
 * @param {string} name
 * @param {RequestInit} options
 */
const again = async (name, options) =>
	name.endsWith(".solution") ? fetch(address(name), { ...options, cache: "force-cache" }).catch(() => null) : null;

/** All files, or none: where there is no room for all, what was kept of them is let go. */
async function keep() {
	const found = await Promise.all(Object.keys(FILES).map(fetched));
	const kept = await caches.open(NAME);
	try {
		await Promise.all(found.map(({ key, response }) => kept.put(key, response)));
	} catch (error) {
		await caches.delete(NAME);
		throw error;
	}
}

addEventListener("install", (event) => event.waitUntil(keep()));

addEventListener("activate", (event) =>
	event.waitUntil(
		caches
			.keys()
			.then((known) =>
				Promise.all(known.filter((name) => name.startsWith(OURS) && name !== NAME).map((name) => caches.delete(name))),
			),
	),
);

addEventListener("fetch", (event) => {
	const url = new URL(event.request.url);
	const name = names.get(url.origin + url.pathname);
	if (event.request.method !== "GET" || name === undefined) return;
	event.respondWith(caches.match(address(name), { cacheName: NAME }).then((kept) => kept ?? fetch(event.request)));
});
