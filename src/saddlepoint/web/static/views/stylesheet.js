// A view's own style sheet: it applies while the view is open.

/**
 * Resolves when the sheet applies, so that nothing is seen without it; `signal` takes it away.
 * @param {string} address
 * @param {AbortSignal} signal
 */
export function stylesheet(address, signal) {
	const link = document.createElement("link");
	signal.addEventListener("abort", () => link.remove());
	return new Promise((resolve) => {
		Object.assign(link, { rel: "stylesheet", href: address, onload: resolve, onerror: resolve });
		document.head.append(link);
	});
}
