// Keeps the page in this browser: once it was open, it opens without a network. A newer page takes the place of this one when no tab has it open.
const OURS = `saddlepoint ${registration.scope} `; // another page of this library may lie beside this one
const NAME = `${OURS}VERSION`;
const PAGE = FILES;

addEventListener("install", (event) => event.waitUntil(caches.open(NAME).then((kept) => kept.addAll(PAGE.map((name) => new Request(name, { cache: "reload" }))))));

addEventListener("activate", (event) => event.waitUntil(caches.keys().then((names) => Promise.all(
  names.filter((name) => name.startsWith(OURS) && name !== NAME).map((name) => caches.delete(name))))));

addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && new URL(event.request.url).origin === location.origin) {
    event.respondWith(caches.open(NAME).then(async (kept) => (await kept.match(event.request, { ignoreSearch: true })) ?? fetch(event.request)));
  }
});
