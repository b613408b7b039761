// Watch: two players play, as fast as is wished; then the game as a replay.
//
// Address: #/watch?g=GAME&s=START&m=MOVES&a=SEAT&b=SEAT; without a game it asks for one.
import { Board } from "/viewer/board.js";
import { button, element, select } from "../dom.js";
import { Game, verdict } from "../game.js";
import { fit, history, number, playerLine, stepTo, tool } from "../parts.js";
import { ask, entryOf, parseSeat, seatNames, seatText, usualSeat, words } from "../seats.js";
import { keep, kept, refFromParams, refToParams, sleep, waitText } from "../state.js";

/** Least milliseconds from one position to the next. */
const PACES = [["0", "As fast as they play"], ["300", "Quick"], ["900", "Calm"], ["2000", "Slow"]];

export async function mount(host, params, context) {
  const known = await context.catalogue();
  let ref = refFromParams(params);
  let seats = [params.get("a"), params.get("b")];
  if (!ref) {
    const before = kept("watch");
    if (!before) { context.go("start", { do: "watch" }); return null; }
    ({ ref, seats } = before);
  }
  const entry = entryOf(known, ref.game);
  if (!entry) throw new context.api.Refused(`No game here is called ${ref.game}.`);
  seats = seats.map((seat) => (seat && seat !== "you" ? parseSeat(seat) : usualSeat(entry)));
  const game = ref.start ? await Game.load(ref, context.signal) : await Game.begin(ref, context.signal);
  const show = new Show(host, game, seats, entry, context);
  return () => show.close();
}

class Show {
  constructor(host, game, seats, entry, context) {
    Object.assign(this, { host, game, seats, entry, context });
    this.names = seatNames(seats, entry);
    this.shown = game.plies;
    this.running = null;
    this.pace = kept("pace", "900");
    context.title(`${words(entry.name)}: ${this.names.join(" – ")}`);
    context.signal.addEventListener("abort", () => this.running?.abort());
    this.build();
    this.store();
    this.draw();
    if (!game.over) this.start();
  }

  close() {
    this.running?.abort();
    this.board.destroy();
    this.viewer?.destroy?.();
  }

  build() {
    this.boardHost = element("div", { class: "board" });
    this.lines = this.names.map((name, player) => playerLine(player, name));
    this.status = element("p", { class: "status", role: "status" });
    this.detail = element("p", { class: "note detail" });
    this.nobodys = element("div", { class: "numbers" });
    this.history = history((pick) => { this.pause(); this.look(stepTo(pick, this.shown, this.game.plies)); });
    this.startButton = tool("play", "Start", () => this.start(), { class: "main" });
    this.pauseButton = tool("pause", "Pause", () => this.pause(), { class: "main" });
    this.stepButton = tool("step", "Step", () => this.step());
    this.controls = element("div", { class: "row" }, this.startButton, this.pauseButton, this.stepButton,
      tool("flip", "Flip the board", () => this.flip(), { small: true }));
    this.end = element("div", { class: "row", hidden: true },
      tool("again", "Another game", () => this.again(), { class: "main" }),
      tool("play", "Replay", () => this.replay()));
    this.places = [element("div", { class: "seat top-seat" }), element("div", { class: "seat" })];
    this.main = element("div", { class: "table" },
      element("div", { class: "play-board" }, this.places[0], this.boardHost, this.places[1]),
      element("aside", { class: "side" },
        element("div", { class: "panel stack" }, element("div", {}, this.status, this.detail), this.nobodys, this.controls, this.end,
          element("label", { class: "field" }, element("span", {}, "Speed"),
            select(PACES, this.pace, (value) => { this.pace = value; keep("pace", value); })),
          this.history.node),
        element("div", { class: "row more" },
          element("a", { class: "button", href: `#/?g=${encodeURIComponent(this.game.ref.game)}&do=watch` }, "New"),
          button("Analyse", () => this.analyse()))));
    this.host.append(element("h1", { class: "unseen" }, `Watch ${words(this.entry.name)}`), this.main);
    this.board = new Board(this.boardHost, { names: this.names });
    this.flipped = false;
    this.seatPlaces();
  }

  seatPlaces() {
    const low = this.flipped ? 1 : 0;
    this.places[0].replaceChildren(this.lines[1 - low].node);
    this.places[1].replaceChildren(this.lines[low].node);
  }

  get params() {
    const params = refToParams(this.game.ref);
    this.seats.forEach((seat, player) => params.set("ab"[player], seatText(seat)));
    return params;
  }

  store() {
    this.context.remember(this.params);
    keep("watch", { ref: this.game.ref, seats: this.seats.map(seatText) });
  }

  async start() {
    await this.run(Infinity);
  }

  async step() {
    this.pause();
    if (this.shown !== this.game.plies) this.look(this.shown + 1);
    else await this.run(1);
  }

  pause() {
    this.running?.abort();
    this.running = null;
    this.draw();
  }

  /** Plays this many moves, or until it is over or paused. */
  async run(most) {
    this.running?.abort();
    const run = new AbortController();
    this.running = run;
    this.shown = this.game.plies;
    try {
      for (let played = 0; played < most && !this.game.over; played += 1) {
        this.draw();
        const pace = sleep(Number(this.pace), run.signal);
        const [joint] = await Promise.all([this.jointMove(run.signal), most === 1 ? null : pace]);
        pace.catch(() => {});
        await this.game.play(joint, run.signal);
        this.shown = this.game.plies;
        this.store();
      }
    } catch (error) {
      if (error.name === "AbortError") return;
      this.detail.textContent = error.message;
      if (error.name !== "Refused") throw error;
    } finally {
      if (this.running === run) {
        this.running = null;
        this.draw();
        if (this.game.over) this.context.say(this.status.textContent);
      }
    }
  }

  async jointMove(signal) {
    const { last, ref } = this.game;
    if (last.node === "chance") return [(await this.context.api.post("/api/chance", ref, { signal })).outcome, -1];
    const joint = [-1, -1];
    await Promise.all(last.to_act.map(async (player) => {
      const found = await ask(this.seats[player], player, ref, this.entry, { signal, onWait: (wait) => {
        this.detail.textContent = wait ? waitText(wait) : "";
      } });
      joint[player] = found.action;
    }));
    return joint;
  }

  draw() {
    const { game, shown } = this;
    const position = game.positions[shown];
    fit(this.boardHost, position.picture);
    this.board.draw(position.picture, { animate: true, before: shown ? game.positions[shown - 1].picture : null, lastNames: position.names });
    this.lines.forEach((line, player) => line.draw(position.picture, {
      acting: Boolean(this.running) && position.to_act.includes(player) && !game.over }));
    this.nobodys.replaceChildren(...(position.picture.numbers || []).filter((one) => one.owner !== 0 && one.owner !== 1).map(number));
    this.history.draw(game.positions, shown);
    this.status.textContent = game.over && shown === game.plies ? verdict(game.last.result, this.names)
      : shown !== game.plies ? `Position ${shown} of ${game.plies}` : this.running ? `Move ${game.plies + 1}` : "Paused";
    this.startButton.hidden = Boolean(this.running) || game.over;
    this.pauseButton.hidden = !this.running || game.over;
    this.stepButton.disabled = game.over && shown === game.plies;
    this.end.hidden = !game.over;
  }

  look(at) {
    this.shown = Math.min(at, this.game.plies);
    this.draw();
  }

  flip() {
    this.flipped = !this.flipped;
    this.board.flip(this.flipped);
    this.seatPlaces();
    this.draw();
  }

  async again() {
    const fresh = await Game.begin({ game: this.game.ref.game }, this.context.signal);
    const params = refToParams(fresh.ref);
    this.seats.forEach((seat, player) => params.set("ab"[player], seatText(seat)));
    this.context.go("watch", params);
  }

  analyse() {
    const params = refToParams(this.game.ref);
    if (this.shown !== this.game.plies) params.set("at", this.shown);
    this.context.go("analysis", params);
  }

  /** The game as a replay, in the place of the table. */
  async replay() {
    const line = await this.context.api.post("/api/line", { ...this.game.ref, players: this.names }, { kind: "text" });
    const data = await this.context.api.post("/api/replay", line);
    const { ReplayViewer } = await import("/viewer/replay.js");
    const host = element("div");
    const back = button("Back", () => {
      this.viewer?.destroy?.();
      this.viewer = null;
      frame.remove();
      this.main.hidden = false;
    });
    const frame = element("div", { class: "stack" }, element("div", { class: "row" }, back), host);
    this.main.hidden = true;
    this.host.append(frame);
    this.viewer = new ReplayViewer(host, data, { autoplay: true });
    back.focus();
  }
}
