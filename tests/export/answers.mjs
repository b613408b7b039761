// Answers what tests ask of an export: FOLDER NAME as arguments, questions as JSON on stdin, a line of JSON for each on stdout.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, name] = process.argv.slice(2);
const { Game, Player, Searcher } = await import(pathToFileURL(`${folder}/saddlepoint.mjs`));
const game = await Game.load(JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8")), readFileSync(`${folder}/${name}.wasm`));
const read = (words) => BigUint64Array.from(words, (word) => BigInt("0x" + word));
const shown = (state) => Array.from(state, (word) => word.toString(16));
const searchers = new Map(), players = new Map();

const answers = {
  start: () => shown(game.start()),
  position({ state, joint }) {
    const words = read(state), node = game.node(words);
    return {
      node, toAct: game.toAct(words), legal: [0, 1].map((player) => game.legal(words, player)),
      worth: [0, 1].map((player) => game.worthSearching(words, player)), outcomes: game.outcomes(words),
      hash: game.hash(words).toString(16), result: node === -4 ? game.result(words) : null,
      next: joint === null ? null : shown(game.next(words, ...joint)),
    };
  },
  search({ state, seat, limits, seed, rootStep }) {
    if (!searchers.has(seat)) searchers.set(seat, new Searcher(game, seat));
    searchers.get(seat).clear();
    const found = searchers.get(seat).search(read(state), limits, { seed: BigInt(seed), rootStep });
    return {
      value: found.value, nodes: found.nodes, depth: found.depth, best: found.best, plies: found.plies,
      strategies: found.strategies.map((mixture) => [...mixture]), seconds: found.seconds, counters: found.counters,
      iterations: found.iterations.map((one) => [one.depth, one.nodes, one.value]),
    };
  },
  begin({ seat, seed }) {
    if (!players.has(seat)) players.set(seat, new Player(game));
    players.get(seat).begin(seat, BigInt(seed));
    return null;
  },
  choose: ({ seat, state }) => players.get(seat).choose(read(state)).action,
};

for (const { ask, ...rest } of JSON.parse(readFileSync(0, "utf8"))) console.log(JSON.stringify(answers[ask](rest)));
