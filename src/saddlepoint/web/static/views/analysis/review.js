// The review of a whole game: what every position was worth, which moves lost most, and where the game turned.

import { drawGraph } from "/viewer/graph.js";
import { element } from "../../dom.js";
import { tool } from "../../parts.js";
import { signed } from "../numbers.js";

const SERIOUS = 0.1; // of the range of values: a smaller loss is no mistake
const MOST = 12; // mistakes in the list

export class Review {
  /** `recorded`: values that the players told in the game, or nothing. */
  constructor(engine, { reference, names, range, recorded, onGo, onSay }) {
    Object.assign(this, { engine, reference, names, range, onGo, onSay });
    const { moves } = reference();
    this.length = moves.length;
    this.values = Array.from({ length: this.length + 1 }, (_, ply) => recorded?.[ply] ?? null);
    this.turns = [];
    this.here = 0;
    this.number = null;
    this.graph = element("div", { class: "graph" });
    this.button = tool("search", "Analyse this game", () => (this.number === null ? this.start() : this.stop()));
    this.progress = element("span", { class: "note", role: "status" });
    this.list = element("ol", { class: "mistakes", "aria-label": "Moves that lost most" });
    this.host = element("section", { class: "review panel stack", "aria-label": "The whole game", hidden: !this.length },
      this.graph, element("div", { class: "row" }, this.button, this.progress), this.list);
    this.draw();
  }

  /** Marks the position shown. */
  at(ply) {
    this.here = ply;
    this.draw();
  }

  /** Looks at the whole game; `jump`: goes to the worst move when that is done. */
  start(jump = false) {
    if (!this.length) return;
    this.jump = jump;
    this.turns = [];
    this.list.replaceChildren();
    this.button.lastChild.textContent = "Stop";
    this.progress.textContent = "Looking at the game …";
    this.number = this.engine.ask({ do: "review", ...this.reference() }, (message) => this.hear(message));
  }

  stop() {
    if (this.number !== null) this.engine.stop(this.number);
    this.end("Stopped.");
  }

  end(text) {
    this.number = null;
    this.button.lastChild.textContent = "Analyse this game";
    this.progress.textContent = text;
  }

  hear(message) {
    if (message.kind === "compiling") {
      this.progress.textContent = `${message.what ?? "The search"} is being compiled${message.left ? `, about ${Math.ceil(message.left)} s more` : ""} …`;
    } else if (message.kind === "error") {
      this.end(message.error);
    } else if (message.kind === "review") {
      this.take(message);
    } else if (message.kind === "done") {
      this.finish();
    }
  }

  take(turn) {
    this.turns.push(turn);
    this.values[turn.turn] = turn.value;
    this.progress.textContent = `${this.turns.length} of ${this.length} moves`;
    this.draw();
  }

  /** The moves that cost their player most, the worst first: {turn, player, loss, played, best}. */
  get mistakes() {
    const serious = SERIOUS * (this.range[1] - this.range[0]);
    return this.turns.flatMap((turn) => [0, 1].map((player) => ({ ...turn, player, loss: turn.loss?.[player] ?? 0 })))
      .filter(({ loss }) => loss >= serious).sort((a, b) => b.loss - a.loss || a.turn - b.turn).slice(0, MOST);
  }

  finish() {
    const { mistakes } = this;
    this.end(mistakes.length ? "" : "No move lost much.");
    this.list.replaceChildren(...mistakes.map((one) => this.item(one)));
    this.draw();
    this.onSay(mistakes.length ? `${mistakes.length} moves lost much; the worst is move ${mistakes[0].turn + 1}.` : "No move lost much.");
    if (this.jump && mistakes.length) this.onGo(mistakes[0].turn);
  }

  item({ turn, player, loss, played, best }) {
    const better = best?.[player];
    return element("li", {}, element("button", { type: "button", "data-turn": turn, onclick: () => this.onGo(turn) },
      element("span", { class: "note" }, `Move ${turn + 1}`),
      element("span", { class: `player p${player}` }, this.names[player]),
      element("span", {}, "played ", element("b", {}, played?.[player] ?? "?"), better ? element("span", {}, ", better ", element("b", {}, better)) : null),
      element("span", { class: "loss" }, signed(-loss))));
  }

  draw() {
    drawGraph(this.graph, this.values, { at: this.here, onPick: this.onGo, turningPoints: this.mistakes.map(({ turn }) => turn), range: this.range });
  }
}
