// Reviews games as the page without a server does: FOLDER of the page as an argument, its messages as JSON lines on stdin; what each was
// told, and the last message, or its error, as JSON lines on stdout.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

globalThis.fetch = async (address) => new Response(readFileSync(new URL(address)));
const { analyse } = await import(pathToFileURL(`${process.argv[2]}/engine/analysis.js`));
for await (const line of createInterface({ input: process.stdin })) {
  const told = [];
  try {
    const done = await analyse(JSON.parse(line), "search", (one) => told.push(one));
    console.log(JSON.stringify({ told, done }));
  } catch (error) {
    console.log(JSON.stringify({ told, error: error.message, kind: error.constructor.name, stack: error.stack }));
  }
}
