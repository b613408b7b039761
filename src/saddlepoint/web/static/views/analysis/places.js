// The positions of a game and of what was tried, by the moves that lead there; asked of the server when they are first wanted.

import { writeMoves } from "./walk.js";

export class Places {
  constructor({ game, start }, { api }) {
    this.ref = { game, start };
    this.api = api;
    this.known = new Map();
  }

  at(moves) {
    return this.known.get(writeMoves(moves)) ?? null;
  }

  /** Makes sure that all positions of `line` are known; answers what the server told of the game, once it told it. */
  async load(line, signal) {
    let from = line.length + 1;
    while (from > 0 && !this.known.has(writeMoves(line.slice(0, from - 1)))) from -= 1;
    while (from <= line.length) {
      // No more at once than the server gives.
      const upTo = line.slice(0, Math.min(line.length, from + MOST - 1));
      const told = await this.api.post("/api/positions", { ...this.ref, moves: upTo, from }, { signal });
      told.positions.forEach((position, place) => this.known.set(writeMoves(line.slice(0, from + place)), position));
      this.told = { range: told.range, turnBased: told.turn_based, turnWord: told.turn_word };
      from += told.positions.length;
    }
    return this.told;
  }
}

const MOST = 500; // positions in one answer
