// A loop for a contest with an input of its own, for tic-tac-toe: saddlepoint export tic_tac_toe --to js --loop own_loop.js -o bot.js
//
// Each turn the judge sends "row column" of the other's last move (-1 -1 at first), then a number of lines, and on each of them a
// legal move. The answer is "row column". The export calls play(game) once; Player, NO_ACTION and the clock are those of docs/exporting.md.
function play(game) {
  const player = new Player(game), clock = { bank: 0.08, increment: 0.08, cap: 0.08 };
  let state = game.start(), seat = null, lines = [], rest = "";

  const after = (mover, action) => { state = game.next(state, ...(mover ? [NO_ACTION, action] : [action, NO_ACTION])); };

  function turn([row, column]) {
    if (seat === null) {
      seat = row < 0 ? 0 : 1; // who gets no move of the other begins
      player.begin(seat);
    }
    if (row >= 0) after(1 - seat, 3 * row + column);
    const { action } = player.choose(state, clock);
    after(seat, action);
    console.log(`${Math.floor(action / 3)} ${action % 3}`);
  }

  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (text) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop();
    lines.push(...parts);
    while (lines.length >= 2 && lines.length >= 2 + Number(lines[1])) {
      const [last, count] = lines;
      lines = lines.slice(2 + Number(count));
      turn(last.split(" ").map(Number));
    }
  });
}
