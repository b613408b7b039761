// The stage matrix as a heat map: what every pair of choices is worth to player 0, with both mixtures along its sides.

import { element } from "../../dom.js";
import { leaning, share, signed } from "../numbers.js";

const KEYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const STRONGEST = 55; // per cent of the colour in a cell, so that its text stays legible

export class Matrix {
  /** `onEnter(joint)` is told a pair that was chosen, `onPoint(joint | null)` one that is pointed at or in focus. */
  constructor(host, { onEnter, onPoint, names = ["Player 0", "Player 1"], range = [-1, 1] }) {
    this.host = host;
    this.onEnter = onEnter;
    this.onPoint = onPoint;
    this.names = names;
    this.range = range;
    this.at = [0, 0];
    this.shape = "";
    this.table = null;
  }

  /** Shows {rows, columns, values, mixtures}; the same rows and columns keep their cells, and so the focus. */
  show(found) {
    const shape = JSON.stringify([found.rows, found.columns]);
    if (shape !== this.shape) this.build(found);
    this.shape = shape;
    this.found = found;
    found.rows.forEach((_, row) => found.columns.forEach((_, column) => this.fill(row, column)));
    const [rows, columns] = found.mixtures ?? [[], []];
    this.sides[0].forEach((side, row) => weigh(side, rows[row]));
    this.sides[1].forEach((side, column) => weigh(side, columns[column]));
  }

  build({ rows, columns }) {
    this.at = [0, 0];
    this.sides = [[], []];
    this.cells = rows.map(() => []);
    const head = columns.map(([, name]) => this.side(1, name));
    const body = rows.map(([, name], row) => {
      const cells = columns.map((_, column) => this.cell(row, column));
      return element("tr", { role: "row" }, this.side(0, name), ...cells.map((one) => element("td", { role: "gridcell" }, one)));
    });
    this.table = element("table", { class: "matrix", role: "grid", "aria-label": "What every pair of moves is worth to " + this.names[0] },
      element("thead", { role: "rowgroup" },
        element("tr", { role: "row" },
          element("td", { role: "gridcell", class: "corner" },
            element("span", { class: "owner0" }, this.names[0]), " ↓ ", element("span", { class: "owner1" }, this.names[1]), " →"),
          ...head)),
      element("tbody", { role: "rowgroup" }, ...body));
    this.table.addEventListener("keydown", (event) => this.key(event));
    this.table.addEventListener("pointerleave", () => this.onPoint(null));
    this.table.addEventListener("focusout", () => this.onPoint(null));
    const held = this.host.contains(document.activeElement);
    this.host.replaceChildren(this.table);
    if (held) this.cells[0][0].focus(); // whoever walks in by keyboard can walk on
  }

  side(player, name) {
    const bar = element("i", { class: "weight" });
    const text = element("small", {}, "");
    const made = element("th", { role: player ? "columnheader" : "rowheader", scope: player ? "col" : "row", class: `axis owner${player}` },
      element("span", { class: "name" }, name), element("span", { class: "meter" }, bar), text);
    this.sides[player].push({ made, bar, text });
    return made;
  }

  cell(row, column) {
    const first = row === 0 && column === 0;
    const made = element("button", {
      type: "button", tabindex: first ? 0 : -1,
      onclick: () => this.onEnter(this.joint(row, column)),
      onpointerenter: () => this.onPoint(this.joint(row, column)),
      onfocus: () => this.focused(row, column),
    });
    this.cells[row].push(made);
    return made;
  }

  joint(row, column) {
    return [this.found.rows[row][0], this.found.columns[column][0]];
  }

  fill(row, column) {
    const { rows, columns, values, mixtures } = this.found;
    const made = this.cells[row][column];
    const value = values?.[row]?.[column] ?? null;
    const lean = value === null ? 0 : leaning(value, this.range);
    made.textContent = value === null ? "…" : signed(value);
    made.className = value === null ? "unknown" : lean >= 0 ? "up" : "down";
    const played = (mixtures?.[0]?.[row] ?? 0) * (mixtures?.[1]?.[column] ?? 0);
    made.classList.toggle("played", played >= 0.005);
    made.style.setProperty("--strength", `${Math.round(STRONGEST * Math.abs(lean))}%`);
    const worth = value === null ? "not known yet" : signed(value);
    made.setAttribute("aria-label", `${rows[row][1]} against ${columns[column][1]}: ${worth}${played >= 0.005 ? `, played ${share(played)}` : ""}`);
    made.dataset.value = value ?? "";
  }

  focused(row, column) {
    const [before, beside] = this.at;
    this.cells[before]?.[beside]?.setAttribute("tabindex", "-1");
    this.cells[row][column].setAttribute("tabindex", "0");
    this.at = [row, column];
    this.onPoint(this.joint(row, column));
  }

  key(event) {
    const step = KEYS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    const row = Math.max(0, Math.min(this.cells.length - 1, this.at[0] + step[0]));
    const column = Math.max(0, Math.min(this.cells[0].length - 1, this.at[1] + step[1]));
    this.cells[row][column].focus();
    event.preventDefault();
    event.stopPropagation();
  }
}

function weigh({ made, bar, text }, part) {
  made.dataset.share = part ?? "";
  made.classList.toggle("unused", !(part >= 0.005));
  bar.style.setProperty("--share", `${100 * (part ?? 0)}%`);
  text.textContent = part === undefined || part === null ? "" : share(part);
}
