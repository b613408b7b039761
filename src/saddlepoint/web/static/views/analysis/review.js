// The review of a whole game: what every position was worth, the server's verdict, and the moments that mattered.

import { Board } from "/viewer/board.js";
import { drawGraph } from "/viewer/graph.js";
import { element } from "../../dom.js";
import { tool } from "../../parts.js";
import { arrowsTo } from "./arrows.js";

export class Review {
  /**
   * `game()`: what is asked about; `recorded`: values that the players told in the game, or nothing; `result`: what it ended with, or
   * null; `pictures()`: a promise of the pictures of all positions.
   */
  constructor(engine, { game, range, recorded, result, pictures, onGo, onSay }) {
    Object.assign(this, { engine, game, range, pictures, onGo, onSay });
    this.length = game().moves.length;
    this.values = Array.from({ length: this.length + 1 }, (_, ply) => recorded?.[ply] ?? null);
    if (result !== null && result !== undefined) this.values[this.length] = result;
    this.moments = [];
    this.here = 0;
    this.number = null;
    this.graph = element("div", { class: "graph" });
    this.button = tool("search", "Review this game", () => (this.number === null ? this.start() : this.stop()));
    this.progress = element("span", { class: "note", role: "status" });
    this.verdict = element("p", { class: "verdict", hidden: true });
    this.list = element("ol", { class: "mistakes", "aria-label": "Moments that mattered" });
    this.host = element("section", { class: "review panel stack", "aria-label": "The whole game", hidden: !this.length },
      this.graph, element("div", { class: "row" }, this.button, this.progress), this.verdict, this.list);
    this.draw();
  }

  /** Marks the position shown. */
  at(ply) {
    this.here = ply;
    this.draw();
  }

  /** Looks at the whole game; `jump`: goes to where it was lost when that is done. */
  start(jump = false) {
    if (!this.length) return;
    this.jump = jump;
    this.moments = [];
    this.list.replaceChildren();
    this.verdict.hidden = true;
    this.button.lastChild.textContent = "Stop";
    this.progress.textContent = "Looking at the game …";
    this.number = this.engine.ask({ do: "review", ...this.game() }, (message) => this.hear(message));
  }

  stop() {
    if (this.number !== null) this.engine.stop(this.number);
    this.end("Stopped.");
  }

  end(text) {
    this.number = null;
    this.button.lastChild.textContent = "Review this game";
    this.progress.textContent = text;
  }

  hear(message) {
    if (message.kind === "compiling") {
      this.progress.textContent = `${message.what ?? "The search"} is being compiled${message.left ? `, about ${Math.ceil(message.left)} s more` : ""} …`;
    } else if (message.kind === "error") {
      this.end(message.error);
    } else if (message.kind === "review") {
      this.values[message.step] = message.value;
      this.progress.textContent = `${message.done} of ${message.expected} searches at most`;
      this.draw();
    } else if (message.kind === "done") {
      this.finish(message);
    }
  }

  finish({ says, moments, verdict }) {
    this.end("");
    if (!says) return; // stopped
    this.moments = moments;
    this.verdict.textContent = says.join(" ");
    this.verdict.hidden = false;
    const boards = moments.map(() => element("span", { class: "board small", "aria-hidden": "true" }));
    this.list.replaceChildren(...moments.map((one, place) => element("li", {},
      element("button", { type: "button", "data-step": one.step, class: one.step === verdict.step ? "decisive" : null, onclick: () => this.onGo(one.step) },
        boards[place], element("span", { class: "what" }, one.says)))));
    this.drawMoments(boards, moments);
    this.draw();
    this.onSay(says.join(" "));
    if (this.jump && verdict.step !== null) this.onGo(verdict.step);
  }

  /** Each moment's position, with the moves that were played there. */
  async drawMoments(boards, moments) {
    const { moves, players } = this.game();
    const pictures = await this.pictures().catch(() => null); // their words say enough
    if (!pictures) return;
    boards.forEach((host, place) => {
      const { step } = moments[place];
      const picture = pictures[step];
      if (picture && host.isConnected) new Board(host, { names: players }).draw(picture, { animate: false, arrows: arrowsTo(moves[step] ?? [], picture) });
    });
  }

  draw() {
    this.graph.hidden = this.values.every((value) => value === null);
    if (this.graph.hidden) return;
    drawGraph(this.graph, this.values, { at: this.here, onPick: this.onGo, turningPoints: this.moments.map(({ step }) => step), range: this.range, names: this.game().players });
  }
}
