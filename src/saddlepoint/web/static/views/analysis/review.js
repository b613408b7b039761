// The review of a whole game: what every position was worth, which moves lost most, and where the game turned.

import { drawGraph } from "/viewer/graph.js";
import { element } from "../../dom.js";
import { tool } from "../../parts.js";
import { leaning, share, signed } from "../numbers.js";

const SERIOUS = 0.1; // of the range of values: a smaller loss is no mistake
const LOST = -0.5; // of the way from even to a loss: behind it a game is as good as lost
const MOST = 12; // mistakes in the list

export class Review {
  /** `recorded`: values that the players told in the game, or nothing; `result`: what the game ended with, or null. */
  constructor(engine, { reference, names, range, recorded, result, onGo, onSay }) {
    Object.assign(this, { engine, reference, names, range, result, onGo, onSay });
    const { moves } = reference();
    this.length = moves.length;
    this.values = Array.from({ length: this.length + 1 }, (_, ply) => recorded?.[ply] ?? null);
    if (result !== null && result !== undefined) this.values[this.length] = result;
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
    this.values[turn.step] = turn.value;
    this.progress.textContent = `${this.turns.length} of ${this.length} moves`;
    this.draw();
  }

  /** The moves that cost their player most, the worst first, after the one that lost the game: {step, player, loss, played, mixtures}. */
  get mistakes() {
    const serious = SERIOUS * (this.range[1] - this.range[0]);
    const found = this.turns.flatMap((turn) => [0, 1].map((player) => ({ ...turn, player, loss: turn.loss?.[player] ?? 0 })))
      .filter(({ loss }) => loss >= serious).sort((a, b) => b.loss - a.loss || a.step - b.step);
    const decisive = this.decisive(found);
    return (decisive ? [decisive, ...found.filter((one) => one !== decisive)] : found).slice(0, MOST);
  }

  /**
   * Of the loser's mistakes the last one made while the game was not lost yet; else the worst one. A move after which the loser
   * stood no worse than before is none: the next position's search, which saw more of the game, says so.
   */
  decisive(found) {
    const { result } = this;
    if (!result) return null;
    const loser = result > 0 ? 1 : 0;
    const own = found.filter((one) => one.player === loser && (this.valueAfter(one.step) - one.value) * (loser ? -1 : 1) < 0);
    const open = own.filter(({ value }) => leaning(value, this.range) * (loser ? -1 : 1) > LOST);
    return open.sort((a, b) => b.step - a.step)[0] ?? own[0] ?? null;
  }

  /** What the next position that is known was worth; after the last one the game's result. */
  valueAfter(step) {
    const later = this.turns.filter((turn) => turn.step > step);
    return later.length ? later.reduce((a, b) => (b.step < a.step ? b : a)).value : this.result;
  }

  finish() {
    const { mistakes } = this;
    this.end(mistakes.length ? "" : "No move lost much.");
    const decisive = this.decisive(mistakes);
    this.list.replaceChildren(...mistakes.map((one) => this.item(one, one === decisive)));
    this.draw();
    this.onSay(mistakes.length ? `${mistakes.length} moves lost much; the worst is move ${mistakes[0].step + 1}.` : "No move lost much.");
    if (this.jump && mistakes.length) this.onGo(mistakes[0].step);
  }

  item({ step, player, loss, played, mixtures }, decisive) {
    const better = [...(mixtures?.[player] ?? [])].sort((a, b) => b[2] - a[2])
      .filter(([, name, part]) => part >= 0.1 && name !== played?.[player]).slice(0, 3)
      .map(([, name, part]) => (part > 0.995 ? name : `${name} ${share(part)}`)).join(", ");
    return element("li", {}, element("button", { type: "button", "data-step": step, onclick: () => this.onGo(step) },
      element("span", { class: "note" }, `Move ${step + 1}`),
      element("span", { class: `player p${player}` }, this.names[player]),
      element("span", {}, "played ", element("b", {}, played?.[player] ?? "?"), better ? `, better: ${better}` : null),
      decisive ? element("b", { class: "decisive" }, "lost the game") : null,
      element("span", { class: "loss" }, signed(-loss))));
  }

  draw() {
    this.graph.hidden = this.values.every((value) => value === null);
    if (this.graph.hidden) return;
    drawGraph(this.graph, this.values, { at: this.here, onPick: this.onGo, turningPoints: this.mistakes.map(({ step }) => step), range: this.range });
  }
}
