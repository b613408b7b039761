// Steps through the replays. Without it the page still has every last position and every move.

import { ReplayViewer } from "./replay.js";

for (const box of document.querySelectorAll("details.replay")) {
  const source = box.querySelector("script");
  if (!source) continue;
  let viewer = null;
  const show = () => {
    if (viewer) return;
    const host = box.querySelector(".viewer");
    viewer = new ReplayViewer(host, JSON.parse(source.textContent), { onStep: (at) => (box.dataset.step = at) });
    host.hidden = false;
    box.querySelector(".board").hidden = true;
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
