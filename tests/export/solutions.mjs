// Asks the solution of a page without a server: FOLDER of the page as an argument; [game, positions] as JSON in each line of stdin, each
// position its words in hexadecimal; on stdout what each is worth with both mixtures, or the sentence of a refusal.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

globalThis.fetch = async (address) => new Response(readFileSync(new URL(address)));
const [known, reader] = await Promise.all(
  ["known", "solution"].map((name) => import(pathToFileURL(`${process.argv[2]}/engine/${name}.js`))),
);

for await (const line of createInterface({ input: process.stdin })) {
  const [game, positions] = JSON.parse(line);
  try {
    const solution = await reader.solutionOf(await known.gameOf(game), () => {});
    const told = positions.map((words) => {
      const stage = solution.at(BigUint64Array.from(words, (word) => BigInt("0x" + word)));
      return stage && { value: stage.value, strategies: stage.strategies.map((mixture) => [...mixture]), matrix: stage.matrix };
    });
    console.log(JSON.stringify(told));
  } catch (error) {
    console.log(JSON.stringify({ error: error.message, kind: error.constructor.name, stack: error.stack }));
  }
}
