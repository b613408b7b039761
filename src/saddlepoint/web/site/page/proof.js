// What the page says of a solved game: how much of its solution is there, then that it is proven, and by which file.

const UNIT = 1e6;

/**
 * Shows it under the page.
 * @param {ProofMessage} told
 */
export function showProof(told) {
	const bar = document.getElementById("proof") ?? document.createElement("p"),
		known = bar.querySelector("progress");
	if (!bar.isConnected) {
		Object.assign(bar, { id: "proof", className: "offline", role: "status" });
		document.getElementById("view")?.after(bar);
	}
	if (told.state === "coming" && known) known.value = told.done;
	else if (bar.dataset.state !== told.state) bar.replaceChildren(...said(told));
	bar.dataset.state = told.state;
}

/**
 * @param {ProofMessage} told
 * @returns {(string | HTMLElement)[]}
 */
function said({ title, subject, positions, of, gap, bytes, done, state, error = "" }) {
	if (state === "damaged") return [error];
	if (state === "coming") {
		const shown = Object.assign(document.createElement("progress"), { max: bytes, value: done });
		shown.setAttribute("aria-label", "The solution, so far");
		return [`Loading the solution of ${title}, ${(bytes / UNIT).toFixed(1)} MB`, shown];
	}
	const digest = Object.assign(document.createElement("code"), { textContent: of }),
		whole = document.createElement("small");
	whole.append(
		`Proven: ${subject} is solved in ${positions.toLocaleString("en")} positions; best responses gain ` +
			`${gap.toPrecision(1)} at most. The strongest player, the analysis and the review go by the solution whose SHA-256 is `,
		digest,
	);
	return [whole];
}
