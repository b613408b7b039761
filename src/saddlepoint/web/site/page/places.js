// Where the page without a server has its engine and its games.

export const newWorker = () => new Worker(new URL("../engine/worker.js", import.meta.url), { type: "module" });

/** @type {(signal?: AbortSignal | null) => Promise<SentAnswer>} */
export const catalogue = (signal) => fetch(new URL("../catalogue.json", import.meta.url), { signal });

// Whoever has opened the page once has it without a network too, where the browser lets it be kept.
if ("serviceWorker" in navigator && isSecureContext) {
	addEventListener("load", () =>
		navigator.serviceWorker.register(new URL("../sw.js", import.meta.url)).catch(() => {}),
	);
}
