// Answers what tests ask of translated texts: MODULE ABOUT WASM as arguments, the questions as JSON on stdin, an answer as JSON for each
// on stdout. Where WASM is empty, the host knows the start alone, and that no game goes on.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [module, about, wasm] = process.argv.slice(2);
const { Game, makeTexts, python } = await import(pathToFileURL(module));
const read = (words) => BigUint64Array.from(words, (word) => BigInt("0x" + word));
const shown = (state) => Array.from(state, (word) => word.toString(16));
const rules = readFileSync(wasm), known = JSON.parse(readFileSync(about, "utf8"));
const bare = { start: () => read(known.start), node: () => -4, toAct: () => [], legal: () => [], outcomes: () => [] };
const texts = makeTexts(rules.length ? await Game.load(known, rules) : bare);

/** The sentence of a refusal in the place of an answer. */
function refused(ask) {
  try { return ask(); } catch (error) { return { refused: error.message, kind: error.name }; }
}

const answers = {
  position({ state, legal, outcomes }) {
    const words = read(state), text = texts.text(words);
    return {
      picture: texts.picture(words), text, render: texts.render(words), back: refused(() => shown(texts.fromText(text))),
      actions: legal.map((actions, player) => actions.map((action) => texts.actionName(words, player, action))),
      outcomes: outcomes.map((outcome) => texts.outcomeName(words, outcome)),
    };
  },
  game({ states, names, first }) {
    const words = states.map(read);
    return {
      pictures: texts.pictures(words, 0), later: texts.pictures(words, first), endings: texts.endings(words), turns: texts.turns(words),
      reasons: names.map((pair) => texts.reasons(words, pair)),
    };
  },
  render: ({ state }) => texts.render(read(state)),
  read: ({ text }) => refused(() => shown(texts.fromText(text))),
};

for (const { ask, ...rest } of JSON.parse(readFileSync(0, "utf8"))) console.log(JSON.stringify(answers[ask](rest)));
