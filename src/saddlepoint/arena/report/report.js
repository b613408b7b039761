"use strict";
// Steps through the replays. Without it the page still has every last position and every move.
for (const box of document.querySelectorAll("details.replay")) {
  const source = box.querySelector("script");
  if (!source) continue;
  const [controls, slider, said, board] = [".controls", "input", ".said", ".board"].map((which) => box.querySelector(which));
  const moves = Array.from(box.querySelectorAll(".moves li"), (item) => item.textContent);
  const boards = [];
  for (const [height, changed] of JSON.parse(source.textContent)) {
    const before = boards.length ? boards[boards.length - 1] : [];
    boards.push(Array.from({ length: height }, (_, line) => changed[line] ?? before[line]));
  }
  const last = boards.length - 1;
  let at = 0;
  let timer = 0;

  // Characters that the last step changed are marked, but not lines that are a new text.
  const drawLine = (line, before) => {
    const characters = Array.from(line);
    let old = before === undefined ? characters : Array.from(before);
    const changed = characters.filter((character, place) => character !== old[place]).length;
    if (changed > Math.max(4, characters.length / 3)) old = characters;
    for (let from = 0; from < characters.length; ) {
      const marked = characters[from] !== old[from];
      let to = from + 1;
      while (to < characters.length && (characters[to] !== old[to]) === marked) to++;
      const text = characters.slice(from, to).join("");
      if (marked) {
        const mark = document.createElement("mark");
        mark.textContent = text;
        board.append(mark);
      } else board.append(text);
      from = to;
    }
  };
  const show = (step) => {
    at = Math.min(Math.max(step, 0), last);
    board.textContent = "";
    boards[at].forEach((line, number) => {
      if (number) board.append("\n");
      drawLine(line, at ? boards[at - 1][number] ?? "" : undefined);
    });
    slider.value = at;
    said.textContent = at ? `after step ${at} of ${last}: ${moves[at - 1]}` : `opening, ${last} steps to come`;
    box.dataset.step = at;
  };
  const pause = () => {
    clearInterval(timer);
    timer = 0;
    box.querySelector("[data-go=play]").textContent = "Play";
  };
  const play = () => {
    if (at === last) show(0);
    box.querySelector("[data-go=play]").textContent = "Pause";
    timer = setInterval(() => (at < last ? show(at + 1) : pause()), 500);
  };
  const go = {
    first: () => show(0), back: () => show(at - 1), next: () => show(at + 1), last: () => show(last),
    play: () => (timer ? pause() : play()),
  };
  for (const button of controls.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      if (timer && button.dataset.go !== "play") pause();
      go[button.dataset.go]();
    });
  }
  slider.addEventListener("input", () => {
    if (timer) pause();
    show(Number(slider.value));
  });
  box.addEventListener("toggle", () => {
    if (!box.open && timer) pause();
  });
  controls.hidden = false;
  show(0);
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
