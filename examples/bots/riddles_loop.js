// riddles.io's dialogue for an exported Light Riders player: saddlepoint export light_riders --to js --loop riddles_loop.js -o bot.js
//
// The export calls play(game) once. A position of Light Riders as words: the walls, 64 cells a word, then both heads, both directions
// (0 up, 1 right, 2 down, 3 left), the round, and who is alive (both: 3). docs/contests-others.md describes the dialogue.
function play(game) {
  const NAMES = ["up", "right", "down", "left"], start = Array.from(game.start()), walls = start.length - 6;
  const settings = { timebank: 10000, time_per_move: 200, your_botid: 0, field_width: 16, field_height: 16 };
  const player = new Player(game);
  let field = [], round = 0, began = false, before = null;

  /** The position; a rider's direction is the step of its head since the round before. */
  function position() {
    const width = settings.field_width, words = start.map((word, k) => (k < walls ? 0n : word));
    field.forEach((mark, cell) => { if (mark !== ".") words[cell >> 6] |= 1n << BigInt(cell & 63); });
    const heads = ["0", "1"].map((mark) => field.indexOf(mark)), follows = before && before.round === round - 1;
    const facing = heads.map((head, k) => {
      const step = follows ? [-width, 1, width, -1].indexOf(head - before.heads[k]) : -1;
      return step >= 0 ? step : before ? before.facing[k] : Number(start[walls + 2 + k]);
    });
    before = { round, heads, facing };
    [...heads, ...facing, round, 3].forEach((value, k) => { words[walls + k] = BigInt(value); });
    return BigUint64Array.from(words);
  }

  function move(left) {
    const state = position();
    if (game.node(state) === TERMINAL) return "pass";
    if (!began) player.begin(settings.your_botid);
    began = true;
    const clock = { bank: Math.max(left - 30, 1) / 1000, increment: settings.time_per_move / 1000, cap: settings.timebank / 1000 };
    return NAMES[player.choose(state, clock).action];
  }

  function take(line) {
    const [verb, what, ...rest] = line.trim().split(/\s+/);
    if (verb === "settings" && what in settings) settings[what] = Number(rest[0]);
    if (verb === "update" && rest[0] === "round") round = Number(rest[1]);
    if (verb === "update" && rest[0] === "field") field = rest[1].split(",");
    if (verb === "action") console.log(field.length === settings.field_width * settings.field_height ? move(Number(rest[0])) : "pass");
  }

  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    lines.forEach(take);
  });
}
