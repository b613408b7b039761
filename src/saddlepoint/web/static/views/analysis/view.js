// The analysis of one game: its board, the searches at work on it, the moves tried, and the review of the whole game.

import { Board } from "/viewer/board.js";
import { button, element, select } from "../../dom.js";
import { hasWon, turnsOf } from "../../game.js";
import { tool } from "../../parts.js";
import { parseSeat, tableParams, usualSeat } from "../../seats.js";
import { refToParams } from "../../state.js";
import { signed } from "../numbers.js";
import { droppable } from "../source.js";
import { arrowsOf, arrowsTo } from "./arrows.js";
import { ValueBar } from "./bar.js";
import { Engine } from "./engine.js";
import { openForm } from "./open.js";
import { Panel } from "./panel.js";
import { Places } from "./places.js";
import { Review } from "./review.js";
import { readMoves, Walk, writeMoves } from "./walk.js";

const SETTLE = 120; // milliseconds that a position stays before it is searched
const SPOKEN_EVERY = 5000; // milliseconds between two values told to a screen reader
const TIMES = [[5, "5 s"], [15, "15 s"], [60, "60 s"]];

export class Analysis {
  constructor(host, { source, params, entry, catalogue, context, range, places }) {
    Object.assign(this, { host, source, params, entry, catalogue, context, range, places });
    this.names = source.players;
    this.result = source.data?.result ?? (params.has("lost") ? range[params.get("lost") === "1" ? 1 : 0] : null);
    this.overlays = new Set();
    this.showArrows = true;
    this.seconds = TIMES[1][0];
    this.flipped = false;
    this.working = true;
    this.half = [null, null];
    this.pointed = null;
    this.previewed = 0;
    this.frame = 0;
    this.spoken = 0;
    const at = params.has("at") ? Number(params.get("at")) : source.moves.length;
    this.walk = new Walk(source.moves, { at, fork: params.has("f") ? Number(params.get("f")) : null, tried: readMoves(params.get("b")) });
    this.engine = new Engine((said) => { this.trouble.textContent = said; this.trouble.hidden = !said; });
    this.panels = [];
    this.build();
    this.addPanel();
    this.arrive();
    if (params.get("review")) this.review.start(true);
  }

  build() {
    const { context } = this;
    this.boardHost = element("div", { class: "board" });
    this.board = new Board(this.boardHost, { names: this.names, onMove: (move) => this.chooseHalf(move) });
    this.bar = new ValueBar(this.names, this.range);
    this.trouble = element("p", { class: "word", hidden: true });
    this.said = element("p", { class: "said" });
    this.crumbs = element("nav", { class: "crumbs", "aria-label": "Where you are" });
    this.review = new Review(this.engine, {
      game: () => ({
        ...this.reference(this.source.moves), players: this.names, result: this.result, faults: this.source.data?.faults ?? null,
      }),
      range: this.range, result: this.places.at(this.source.moves)?.result ?? this.result, recorded: this.source.data?.positions?.map((one) => one.value ?? null),
      pictures: async () => {
        const { moves } = this.source;
        await this.places.load(moves, context.signal);
        return Array.from({ length: moves.length + 1 }, (_, ply) => this.places.at(moves.slice(0, ply))?.picture);
      },
      onGo: (at) => this.goPlayed(at), onFrom: this.entry && ((step, who) => this.playFrom(step, who)), onSay: context.say,
      onLearn: (lessons) => this.learn(lessons),
    });
    const steps = [
      ["first", "To the start (Home)", () => 0], ["prev", "One move back (←)", () => this.walk.at - 1],
      ["next", "One move on (→)", () => this.walk.at + 1], ["last", "To the end (End)", () => this.walk.line.length],
    ].map(([name, label, to]) => tool(name, label, () => this.go(to()), { small: true }));
    this.slider = element("input", { type: "range", min: 0, step: 1, "aria-label": "Move", oninput: () => this.go(Number(this.slider.value)) });
    this.homeButton = button("Back to the game", () => this.backToGame(), { class: "back", hidden: true });
    this.panelHost = element("div", { class: "panels" });
    this.secondButton = button("Compare two searches", () => this.toggleSecond(), { "aria-pressed": "false" });
    this.pauseButton = button("Pause", () => this.pause(), { "aria-pressed": "false" });
    this.host.classList.add("analysis");
    this.host.append(
      element("div", { class: "heading row" }, element("h1", {}, "Analysis"),
        element("p", { class: "who" }, element("span", { class: "player p0" }, this.names[0]), " ", element("span", { class: "player p1" }, this.names[1]),
          element("span", { class: "note" }, this.entry?.title ?? this.source.game))),
      this.trouble,
      element("div", { class: "desk" },
        element("div", { class: "left stack" },
          element("div", { class: "board-and-bar" }, this.bar.host, this.boardHost),
          this.said,
          element("div", { class: "stepping row" }, ...steps, this.slider),
          element("div", { class: "row where" }, this.crumbs, this.homeButton),
          this.review.host),
        element("div", { class: "right stack" },
          element("div", { class: "row actions" }, this.pauseButton,
            this.secondButton,
            select(TIMES, this.seconds, (time) => { this.seconds = Number(time); this.search(); }, { "aria-label": "Seconds for a position" }),
            this.switches()),
          this.panelHost,
          this.chanceHost = element("div", { class: "by-chance", hidden: true }),
          this.drawer())));
    this.host.addEventListener("keydown", (event) => this.key(event), { signal: context.signal });
  }

  switches() {
    const overlays = (this.entry?.overlays ?? []).map((one) => (typeof one === "string" ? one : one.name));
    const one = (label, on, flip) => element("label", { class: "switch" },
      element("input", { type: "checkbox", checked: on, onchange: (event) => flip(event.target.checked) }), label);
    return element("fieldset", { class: "switches" }, element("legend", { class: "unseen" }, "On the board"),
      one("arrows", true, (on) => { this.showArrows = on; this.paint(); }),
      ...overlays.map((name) => one(name, false, (on) => {
        if (on) this.overlays.add(name);
        else this.overlays.delete(name);
        this.search();
      })),
      one("flipped", false, (on) => { this.flipped = on; this.board.flip(on); this.paint(); }));
  }

  /** Links, other positions: what is seldom wanted. */
  drawer() {
    const { form, file } = openForm(this.catalogue, this.context, this.source.game);
    droppable(this.host, file, this.context.signal);
    this.text = element("textarea", { readonly: true, rows: 3, class: "mono", "aria-label": "This position as text" });
    const copied = element("span", { class: "note", role: "status" });
    const copy = (what, text) => button(what, async () => {
      try {
        await navigator.clipboard.writeText(text());
        copied.textContent = "Copied.";
      } catch {
        copied.textContent = "This browser does not let the page copy.";
      }
    });
    return element("div", { class: "stack" },
      element("details", { class: "panel" }, element("summary", {}, "This position: link and text"),
        element("div", { class: "stack" }, this.text,
          element("div", { class: "row" }, copy("Copy the link", () => location.href), copy("Copy the text", () => this.text.value), copied))),
      element("details", { class: "panel" }, element("summary", {}, "Another position"), form));
  }

  addPanel(algorithm = "") {
    const panel = new Panel(this.engine, {
      algorithm, title: this.panels.length ? "Second search" : "Search", game: this.entry ?? {}, names: this.names, range: this.range,
      on: {
        enter: (joint) => this.enter([joint]), walk: (joints) => this.enter(joints),
        point: (joint) => { this.pointed = joint; this.paint(); },
        line: (joints) => this.preview(joints),
        changed: () => this.paint(),
        chosen: () => this.search([panel]),
      },
    });
    this.panels.push(panel);
    this.panelHost.append(panel.host);
    this.panelHost.classList.toggle("two", this.panels.length === 2);
  }

  toggleSecond() {
    if (this.panels.length === 2) {
      const panel = this.panels.pop();
      panel.stop();
      panel.host.remove();
      this.panelHost.classList.remove("two");
    } else {
      this.addPanel((this.entry?.algorithms ?? [])[0]?.spec);
      this.search(this.panels.slice(1));
    }
    this.secondButton.setAttribute("aria-pressed", String(this.panels.length === 2));
  }

  pause() {
    this.working = !this.working;
    this.pauseButton.setAttribute("aria-pressed", String(!this.working));
    this.pauseButton.textContent = this.working ? "Pause" : "Go on";
    if (this.working) this.search();
    else for (const panel of this.panels) panel.stop();
  }

  go(at) {
    this.walk.go(at);
    this.arrive();
  }

  /** Leaves for a game from that position of the one that was played: by a person again, or by the strongest on both sides. */
  playFrom(step, who) {
    const ref = this.reference(this.source.moves.slice(0, step));
    const { levels } = this.entry;
    const strongest = levels.length ? { kind: "level", level: levels.at(-1).name } : usualSeat(this.entry);
    if (who === "best") {
      this.leaveFor("watch", ref, [strongest, strongest]);
      return;
    }
    const seats = ["s0", "s1"].map((name) => (this.params.get(name) ? parseSeat(this.params.get(name)) : null));
    if (!seats.some((seat) => seat?.kind === "you")) {
      const person = (this.places.at(this.source.moves)?.result ?? this.result ?? 0) > 0 ? 1 : 0;
      seats[person] = { kind: "you" };
      seats[1 - person] = usualSeat(this.entry);
    }
    this.leaveFor("play", ref, seats.map((seat) => seat ?? usualSeat(this.entry)));
  }

  /** Shows lessons in the place of all that the analysis knows; null: the analysis again. */
  learn(lessons) {
    this.lessons?.remove();
    this.lessons = lessons;
    this.host.querySelector(".desk").hidden = Boolean(lessons);
    if (!lessons) {
      this.arrive();
      return;
    }
    clearTimeout(this.settling);
    for (const panel of this.panels) panel.stop();
    this.host.append(lessons);
  }

  leaveFor(view, ref, seats) {
    const params = tableParams(ref, seats);
    params.set("new", 1);
    this.context.go(view, params);
  }

  goPlayed(at) {
    this.walk.back();
    this.go(at);
  }

  enter(joints) {
    for (const joint of joints) this.walk.enter(joint);
    this.arrive();
  }

  backToGame() {
    this.walk.back();
    this.arrive();
    this.slider.focus();
  }

  /** One player's move on the board; in a simultaneous position the other's must follow. */
  chooseHalf({ player, action }) {
    const { node } = this.position;
    if (node === "turn") {
      this.enter([player === 0 ? [action, -1] : [-1, action]]);
      return;
    }
    this.half[player] = action;
    if (this.half.every((one) => one !== null)) this.enter([[...this.half]]);
    else {
      this.board.choosable(this.position.picture.moves.filter((move) => move.player !== player));
      this.tell(`${this.names[player]}: ${this.nameOf(player, action)}. Now ${this.names[1 - player] === "You" ? "your" : `${this.names[1 - player]}'s`} move.`);
      this.paint();
    }
  }

  nameOf(player, action) {
    return this.position.picture.moves.find((move) => move.player === player && move.action === action)?.name ?? `${action}`;
  }

  tell(text) {
    this.said.textContent = text;
  }

  /** Shows the position that the walk is at. What the server refuses is told, and the walk stays where it was. */
  async arrive() {
    const before = this.position;
    const moves = this.walk.moves;
    const key = (this.arriving = writeMoves(moves));
    this.half = [null, null];
    this.pointed = null;
    this.previewed += 1;
    try {
      await this.places.load(this.walk.line, this.context.signal);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.walk.back();
      this.tell(error.message);
      return;
    }
    if (this.arriving !== key) return;
    this.position = this.places.at(moves);
    this.previewing = null;
    this.slider.max = this.walk.line.length;
    this.slider.value = this.walk.at;
    this.slider.setAttribute("aria-valuetext", `${this.walk.at} of ${this.walk.line.length}`);
    this.text.value = this.position.text;
    this.board.draw(this.position.picture, { before: before?.picture ?? null, arrows: [], overlays: [] });
    this.board.choosable(this.position.picture.moves ?? null);
    this.describe();
    this.remember();
    this.review.at(this.walk.strayed ? this.walk.fork : this.walk.at);
    for (const panel of this.panels) panel.leave();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.search(), SETTLE);
  }

  describe() {
    const { node, names, result } = this.position;
    const drawn = this.places.at(this.walk.moves.slice(0, -1))?.node === "chance" && this.walk.at > 0;
    const last = drawn ? `Chance: ${names[0]}` : names ? names.map((name, player) => (name ? `${this.names[player]}: ${name}` : "")).filter(Boolean).join(", ") : "The start";
    const won = result === null || result === undefined ? "" : result ? `${hasWon(this.names[result > 0 ? 0 : 1])}.` : "Drawn.";
    this.tell(node === "over" ? `${last}. ${won}` : last);
    this.homeButton.hidden = this.walk.fork === null;
    const { at, fork, line, played } = this.walk;
    const place = (ply, label, current) => (current ? element("span", { "aria-current": "step" }, label) : button(label, () => this.go(ply), { class: "quiet" }));
    const word = this.places.told?.turnWord ?? "move";
    const turn = (ply) => this.places.at(line.slice(0, ply))?.turn ?? ply;
    const here = fork === null ? turnsOf(word, turn(at), turn(played.length)) : `Game, ${word} ${turn(fork)}`;
    const crumbs = [place(Math.min(at, fork ?? at), here, fork === null || at === fork)];
    if (fork !== null) {
      for (let ply = fork + 1; ply <= line.length; ply += 1) {
        const named = this.places.at(line.slice(0, ply))?.names ?? [];
        crumbs.push(place(ply, named.filter(Boolean).join(" / ") || `${ply}`, ply === at));
      }
    }
    this.crumbs.replaceChildren(...crumbs);
    this.chance();
  }

  /** Where chance moves next: let it. */
  chance() {
    const here = this.position;
    this.chanceHost.hidden = here.node !== "chance";
    if (here.node !== "chance") return;
    this.chanceHost.replaceChildren(button("Let chance decide", async () => {
      const reply = await this.context.api.post("/api/chance", this.reference(), { signal: this.context.signal });
      if (this.position === here) this.enter([[reply.outcome, -1]]);
    }));
  }

  reference(moves = this.walk.moves) {
    return { game: this.source.game, start: this.source.start, moves };
  }

  search(panels = this.panels) {
    const { node } = this.position;
    this.paint();
    if (node === "over") {
      for (const panel of panels) panel.rest("The game is over.");
      return;
    }
    if (!this.working) return;
    for (const panel of panels) panel.start(this.reference(), { seconds: this.seconds, overlays: panel === this.panels[0] ? [...this.overlays] : [] });
  }

  /** Draws the arrows, overlays and values of what is known by now, at most once a frame. */
  paint() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      const [first] = this.panels;
      this.bar.show(this.value(), this.flipped);
      if (!this.previewing) {
        const { picture } = this.position;
        const arrows = this.pointed ? arrowsTo(this.pointed, picture)
          : this.half.some((one) => one !== null) ? arrowsTo(this.half.map((one) => one ?? -1), picture)
          : this.showArrows ? arrowsOf(first.table, picture) : [];
        const overlays = first.overlays.filter((one) => this.overlays.has(one.name));
        const text = JSON.stringify([arrows, overlays]);
        if (text !== this.painted || this.paintedOn !== this.position) this.board.draw(picture, { animate: false, arrows, overlays });
        this.painted = text;
        this.paintedOn = this.position;
      }
      this.speak(first.reading);
    });
  }

  value() {
    if (this.position.node === "over") return this.position.result;
    return this.panels[0].reading?.value ?? null;
  }

  /** Tells a screen reader the value now and then, not at every depth. */
  speak(found) {
    const now = Date.now();
    if (!found || found.value === this.lastSpoken || now - this.spoken < SPOKEN_EVERY) return;
    this.spoken = now;
    this.lastSpoken = found.value;
    this.context.say(`Depth ${found.depth}: ${signed(found.value)} to ${this.names[0]}${found.exact ? ", exact" : ""}.`);
  }

  /** Plays a line out on the board, or ends that. */
  async preview(joints) {
    const mine = (this.previewed += 1);
    if (!joints) {
      if (!this.previewing) return;
      this.previewing = null;
      this.board.draw(this.position.picture, { animate: false });
      this.board.choosable(this.position.picture.moves ?? null);
      this.describe();
      this.painted = null;
      this.paint();
      return;
    }
    const line = [...this.walk.moves, ...joints];
    try {
      await this.places.load(line, this.context.signal);
    } catch {
      return;
    }
    if (mine !== this.previewed) return;
    const shown = this.places.at(line);
    this.previewing = shown;
    this.board.draw(shown.picture, { before: this.places.at(line.slice(0, -1))?.picture ?? null });
    this.board.choosable(null);
    this.tell(`${joints.length} on: ${(shown.names ?? []).filter(Boolean).join(" / ")}`);
  }

  remember() {
    const params = this.source.data ? new URLSearchParams(this.source.link) : refToParams(this.reference(this.source.moves));
    if (!this.source.data) for (const name of ["p0", "p1", "s0", "s1", "lost"]) if (this.params.get(name)) params.set(name, this.params.get(name));
    if (this.walk.at !== this.source.moves.length || this.walk.fork !== null) params.set("at", this.walk.at);
    if (this.walk.fork !== null) {
      params.set("f", this.walk.fork);
      params.set("b", writeMoves(this.walk.tried));
    }
    this.context.remember(params);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, textarea")) return;
    if (event.key === "Escape" && this.walk.fork !== null) this.backToGame();
    if (event.target.closest("input, [role=grid], svg")) return; // there the arrow keys have another use
    const to = { ArrowLeft: this.walk.at - 1, ArrowRight: this.walk.at + 1, Home: 0, End: this.walk.line.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }

  close() {
    clearTimeout(this.settling);
    cancelAnimationFrame(this.frame);
    this.engine.close();
    this.board.destroy();
  }
}
