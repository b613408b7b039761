// The replay view: a game of a ledger, of a file named on the command line, or of a file dropped on the page.
//   #/replay?l=LEDGER&n=GAME   #/replay?r=REPLAY&n=GAME   #/replay?dropped   further: at=PLY

import { ReplayViewer } from "/viewer/replay.js";
import { button, download, element, field } from "../dom.js";
import { tool } from "../parts.js";
import { refToParams } from "../state.js";
import { droppable, gameData, linkOf, takeFile } from "./source.js";
import { stylesheet } from "./stylesheet.js";

const SCALE = 2; // pixels of a picture for one of the drawing

export async function mount(host, params, context) {
  const [catalogue] = await Promise.all([context.catalogue(), stylesheet("/static/views/replay.css", context.signal)]);
  const data = await gameData(params, context);
  if (context.signal.aborted) return () => {};
  const said = element("p", { class: "word", role: "alert", hidden: true });
  const take = async (file, number = 1) => {
    try {
      await takeFile(file, context, number);
      context.go("replay", { dropped: String(Date.now()) });
    } catch (error) {
      if (error.name === "AbortError") return;
      said.textContent = error.message;
      said.hidden = false;
    }
  };
  droppable(host, take, context.signal);
  host.classList.add("replay-view");
  if (!data) {
    choose(host, { catalogue, take, said });
    return () => {};
  }
  return show(host, { data, params, context, take, said });
}

/** The page without a game: what may be opened. */
function choose(host, { catalogue, take, said }) {
  const links = (list, address) => element("ul", { class: "games" },
    ...list.map(({ id, name }) => element("li", {}, element("a", { href: address(encodeURIComponent(id)) }, name))));
  host.append(
    element("h1", {}, "Replay"),
    element("section", { class: "panel drop" },
      element("p", {}, "Drop a replay file anywhere on this page, or choose one:"), fileButton(take), said),
    ...(catalogue.replays.length ? [element("h2", {}, "Files named on the command line"), links(catalogue.replays, (id) => `#/replay?r=${id}`)] : []),
    ...(catalogue.ledgers.length ? [element("h2", {}, "Ledgers"), links(catalogue.ledgers, (id) => `#/arena?l=${id}`)] : []));
}

function fileButton(take) {
  const picked = element("input", { type: "file", class: "unseen", onchange: () => picked.files[0] && take(picked.files[0]) });
  return element("label", { class: "button" }, "Open a file …", picked);
}

function show(host, { data, params, context, take, said }) {
  const place = element("div", { class: "viewer" });
  const reference = (moves) => ({ game: data.game, start: data.start, moves });
  let at = 0;
  const remember = () => {
    const link = linkOf(params);
    if (at) link.set("at", at);
    context.remember(link);
  };
  const attempt = (work) => async () => {
    said.hidden = true;
    try {
      await work();
    } catch (error) {
      said.textContent = error.message;
      said.hidden = false;
    }
  };
  const name = `${data.game.split("(")[0]}-${data.players.join("-")}`.replace(/[^\w.-]+/g, "_").slice(0, 80);
  const analyse = () => {
    const known = [...linkOf(params)].length > 0;
    const link = known ? linkOf(params) : refToParams(reference(data.actions));
    link.set("at", at);
    context.go("analysis", link);
  };
  const exported = attempt(async () => {
    const body = { ...reference(data.actions), players: data.players, values: data.positions.map((one) => one.value ?? null) };
    download(`${name}.html`, await context.api.post("/api/export", body, { signal: context.signal, kind: "text" }), "text/html");
  });
  const tools = element("div", { class: "row actions" },
    tool("search", "Analyse from here", analyse, { class: "main" }),
    button("Save as page", exported),
    button("SVG", attempt(async () => download(`${name}-${at}.svg`, viewer.board.toSVG(), "image/svg+xml")), { "aria-label": "Save this position as SVG" }),
    button("PNG", attempt(async () => savePng(viewer.board.toSVG(), `${name}-${at}.png`)), { "aria-label": "Save this position as PNG" }),
    fileButton(take));
  const games = data.games > 1 && (params.has("r") || params.has("dropped")) ? chooseGame(data, params, context) : null;
  host.append(
    element("div", { class: "row heading" }, element("h1", {}, "Replay"),
      element("p", { class: "who" }, element("span", { class: "player p0" }, data.players[0]), " ", element("span", { class: "player p1" }, data.players[1])),
      games),
    element("p", { class: "note" }, `${data.game}: ${data.reason ?? ""}`), said, place, tools);
  const viewer = new ReplayViewer(place, data, { onStep: (now) => { at = now; remember(); } });
  if (params.has("at")) viewer.go(Number(params.get("at")));
  return () => viewer.destroy?.();
}

function chooseGame(data, params, context) {
  const number = element("input", { type: "number", min: 1, max: data.games, value: params.get("n") ?? 1, onchange: () => {
    const link = linkOf(params);
    link.set("n", number.value);
    context.go("replay", link);
  } });
  return field(`Game of ${data.games}`, number);
}

/** Draws the SVG on a canvas and saves that. */
async function savePng(svg, name) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = element("canvas", { width: SCALE * image.width, height: SCALE * image.height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    download(name, await new Promise((resolve) => canvas.toBlob(resolve, "image/png")), "image/png");
  } finally {
    URL.revokeObjectURL(address);
  }
}
