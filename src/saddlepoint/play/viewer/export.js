// The page of a single game, as `show -o` writes it. `#5` shows position 5. For a frame in somebody's page the address
// may say more:
// `#at=5&play=1&loop=1&speed=2&theme=dark&frame=0` (frame=0: the board and what was played, without controls).

import { ReplayViewer } from "./replay.js";
import { savePng, saveSvg } from "./saving.js";
import { html, known, setText } from "./dom.js";

const host = known("game");
const game = JSON.parse(known("data").textContent);
host.replaceChildren();
const asked = () =>
	new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : { at: location.hash.slice(1) });
const note = (/** @type {number} */ at) => {
	const params = asked();
	params.set("at", `${at}`);
	history.replaceState(null, "", `#${[...params].length > 1 ? params : at}`);
};
const follow = (/** @type {URLSearchParams} */ params) => {
	const theme = params.get("theme");
	if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
	document.documentElement.classList.toggle("bare", params.get("frame") === "0");
	viewer.follow(params);
};
const begin = asked();
const viewer = new ReplayViewer(host, game, { onStep: note });
follow(begin);
addEventListener("hashchange", () => follow(asked()));
addEventListener("keydown", (event) => {
	if (event.target === document.body) viewer.key(event);
});

const saving = html("p", { class: "sp-saving" }, host);
for (const { label, save } of [
	{ label: "Save as SVG", save: saveSvg },
	{ label: "Save as PNG", save: savePng },
]) {
	const button = setText(html("button", { type: "button" }, saving), label);
	button.addEventListener("click", () => save(viewer.board, `position-${viewer.at}`));
}
