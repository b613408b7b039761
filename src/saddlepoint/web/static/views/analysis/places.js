// The positions of a game and of what was tried, by the moves that lead there; asked of the server when they are first wanted.

import { writeMoves } from "./tree.js";

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

  /** Tells the moves of places on one line their names, as far as their positions are known. */
  tell(line) {
    for (const place of line) {
      if (place.told) continue;
      const here = this.at(place.moves);
      const chance = place.before && this.at(place.before.moves)?.node === "chance";
      if (here) place.told = { names: here.names, chance, turn: here.turn };
    }
  }

  /** Asks for the names of all moves of a tree; throws where one of them is not legal. The game's own positions are known. */
  async name(tree, signal) {
    this.tell(tree.end.path);
    const tried = tree.places.filter((place) => !place.played);
    if (!tried.length) return;
    const numbers = new Map(tried.map((place, at) => [place, tree.played.length + 1 + at]));
    const branches = tried.map((place) => [place.before.played ? place.before.depth : numbers.get(place.before), ...place.joint]);
    const told = await this.api.post("/api/branches", { ...this.ref, moves: tree.played, branches }, { signal });
    tried.forEach((place, at) => { place.told = told.branches[at]; });
  }
}

const MOST = 500; // positions in one answer
