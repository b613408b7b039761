// The page of a single game, as `show -o` writes it.

import { ReplayViewer } from "./replay.js";
import { savePng, saveSvg } from "./saving.js";
import { html, setText } from "./dom.js";

const host = document.getElementById("game");
const game = JSON.parse(document.getElementById("data").textContent);
host.replaceChildren();
const asked = Number(location.hash.slice(1)) || 0;
const viewer = new ReplayViewer(host, game, { onStep: (at) => history.replaceState(null, "", `#${at}`) });
viewer.go(asked);
addEventListener("hashchange", () => viewer.go(Number(location.hash.slice(1)) || 0));
addEventListener("keydown", (event) => {
  if (event.target === document.body) viewer.key(event);
});

const saving = html("p", { class: "sp-saving" }, host);
for (const [label, save] of [["Save as SVG", saveSvg], ["Save as PNG", savePng]]) {
  const button = setText(html("button", { type: "button" }, saving), label);
  button.addEventListener("click", () => save(viewer.board, `position-${viewer.at}`));
}
