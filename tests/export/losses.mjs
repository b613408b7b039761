// What rows and columns of matrices give away, by the page's own code: FOLDER of the page as an argument, [matrix, value, strategies] as
// JSON in each line of stdin, both lists of losses as JSON on stdout.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { columnLosses, rowLosses } = await import(pathToFileURL(`${process.argv[2]}/losses.js`));
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  console.log(JSON.stringify([rowLosses(...asked), columnLosses(...asked)]));
}
