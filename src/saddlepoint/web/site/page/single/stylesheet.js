// A view's own style sheet, of those that the file has in it: it applies while the view is open.

const sheets = JSON.parse(document.getElementById("sheets")?.textContent ?? "{}");

/**
 * `signal` takes it away.
 * @param {string} address
 * @param {AbortSignal} signal
 */
export async function stylesheet(address, signal) {
	const style = document.createElement("style");
	style.textContent = sheets[address];
	signal.addEventListener("abort", () => style.remove());
	document.head.append(style);
}
