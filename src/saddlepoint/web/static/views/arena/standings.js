// Tournaments, ratings and cross tables of a ledger. The server draws the tables as it does for `saddlepoint report`.

import { element } from "../../dom.js";
import { move, seen } from "./moving.js";

const RATINGS = "section[id$='-ratings'] table";

export class Standings {
  constructor(signal) {
    this.signal = signal;
    this.tournaments = element("div", { class: "tournaments" });
    this.drawn = element("div", { class: "stack drawn" });
    this.host = element("div", { class: "stack" }, this.tournaments, this.drawn);
    this.before = "";
  }

  /** Shows the figures; tables that did not change stay, with what is scrolled and focused in them. */
  show({ tournaments, games }) {
    this.tournaments.replaceChildren(...tournaments.map(progress));
    games.forEach((game, place) => {
      const text = game.drawn.join("");
      let part = this.drawn.children[place];
      if (!part) this.drawn.append(part = element("article", {}, element("h2", {}), element("div", { class: "stack" })));
      part.firstChild.textContent = game.heading;
      if (part.lastChild.dataset.text === text) return;
      const scrolled = part.querySelector(".scroll")?.scrollLeft ?? 0;
      const held = part.contains(document.activeElement);
      const before = seen(part.querySelector(RATINGS));
      // The server made this markup from figures and escaped texts; the page's policy lets no script or style in it run.
      part.lastChild.innerHTML = text;
      part.lastChild.dataset.text = text;
      const table = part.querySelector(".scroll");
      if (table) table.scrollLeft = scrolled;
      if (held) table?.focus({ preventScroll: true });
      move(part.querySelector(RATINGS), before, this.signal);
    });
    while (this.drawn.children.length > games.length) this.drawn.lastChild.remove();
  }

  /** One line for who reads along. */
  told({ tournaments, games }) {
    const played = games.reduce((sum, one) => sum + one.games, 0);
    const running = tournaments.filter((one) => !one.finished).length;
    return `${played} game${played === 1 ? "" : "s"}${running ? `, ${running} tournament${running === 1 ? "" : "s"} under way` : ""}`;
  }
}

function progress({ id, kind, title, games, planned, finished }) {
  const state = finished ? "finished" : "under way";
  return element("div", { class: "panel tournament", "data-state": finished ? "over" : "live" },
    element("div", {}, element("b", {}, `${kind} ${id}`), element("span", { class: "note" }, ` ${title}, ${state}`)),
    element("div", { class: "row" },
      planned ? element("progress", { max: planned, value: games, "aria-label": `Games of ${kind} ${id}` }) : null,
      element("span", {}, planned ? `${games} of ${planned}` : `${games} games`)));
}
