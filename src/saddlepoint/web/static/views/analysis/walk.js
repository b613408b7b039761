// Where one is in a game: the moves that were played, and a branch of moves that were only tried.

const same = (a, b) => a.length === b.length && a.every((action, player) => action === b[player]);

export class Walk {
  /** `played` are the joint moves of the game; `tried` replace those after the first `fork` of them. */
  constructor(played, { at = played.length, fork = null, tried = [] } = {}) {
    this.played = played;
    this.fork = tried.length ? Math.min(fork ?? played.length, played.length) : null;
    this.line = tried.length ? [...played.slice(0, this.fork), ...tried] : played;
    this.at = Math.max(0, Math.min(at, this.line.length));
  }

  /** Whether the moves before the position shown are not those of the game. */
  get strayed() {
    return this.fork !== null && this.at > this.fork;
  }

  /** The moves that lead to the position shown. */
  get moves() {
    return this.line.slice(0, this.at);
  }

  /** The moves tried since the game was left. */
  get tried() {
    return this.fork === null ? [] : this.line.slice(this.fork);
  }

  go(at) {
    this.at = Math.max(0, Math.min(at, this.line.length));
  }

  /** Makes a joint move; one that differs from the line's begins a branch, which replaces the one before. */
  enter(joint) {
    const next = this.line[this.at];
    if (!next || !same(next, joint)) {
      if (this.fork === null || this.at < this.fork) this.fork = this.at;
      this.line = [...this.moves, joint];
      if (this.line.length <= this.played.length && this.line.every((move, ply) => same(move, this.played[ply]))) this.forget();
    }
    this.at += 1;
  }

  /** Back into the game, to where it was left. */
  back() {
    this.at = Math.min(this.at, this.fork ?? this.at);
    this.forget();
  }

  forget() {
    this.line = this.played;
    this.fork = null;
  }
}

/** Moves in a link: `0.1,2.3`. */
export const writeMoves = (moves) => moves.map((joint) => joint.join(".")).join(",");

export const readMoves = (text) =>
  (text ?? "").split(",").filter(Boolean).map((joint) => joint.split(".").map(Number));
