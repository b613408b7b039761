// Steps through the replays. Without it the page still has every last position and every move.

import { ReplayViewer } from "./replay.js";

for (const box of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.replay"))) {
	const source = box.querySelector("script");
	const host = /** @type {HTMLElement | null} */ (box.querySelector(".viewer"));
	const still = box.querySelector(".board");
	if (!source || !host) continue;
	/** @type {ReplayViewer | null} */
	let viewer = null;
	const show = () => {
		if (viewer) return;
		viewer = new ReplayViewer(host, JSON.parse(source.textContent), {
			onStep: (at) => {
				box.dataset.step = `${at}`;
			},
		});
		host.hidden = false;
		still?.toggleAttribute("hidden", true);
	};
	if (box.open) show();
	box.addEventListener("toggle", () => {
		if (box.open) show();
		else viewer?.play(false);
	});
}

const openTarget = () => {
	const target = document.getElementById(location.hash.slice(1));
	if (target instanceof HTMLDetailsElement) {
		target.open = true;
		target.scrollIntoView();
	}
};
addEventListener("hashchange", openTarget);
openTarget();
