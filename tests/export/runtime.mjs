// Calls functions of the run-time that translated Python has: its file as the argument, [name, ...values] as JSON in each line of stdin,
// the value, or the error that it raised, as JSON on stdout.

import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [source, module] = process.argv.slice(2);
writeFileSync(module, `${readFileSync(source, "utf8")}\nexport { python };\n`);
const { python } = await import(pathToFileURL(module));

function read(value) {
  if (Array.isArray(value)) return value.map(read);
  if (value === null || typeof value !== "object") return value;
  if ("int" in value) return BigInt(value.int);
  if ("float" in value) return Number(value.float.replace("inf", "Infinity"));
  if ("word" in value) return python.word(BigInt(value.word));
  if ("tuple" in value) return python.tuple(value.tuple.map(read));
  if ("dict" in value) return python.dict(value.dict.map((pair) => pair.map(read)));
  if ("set" in value) return python.set(value.set.map(read));
  return Object.fromEntries(Object.entries(value.options).map(([name, one]) => [name, read(one)]));
}

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...values] = JSON.parse(line);
  let told;
  try { told = { repr: python.repr(python[name](...values.map(read))) }; } catch (error) { told = { error: error.name }; }
  console.log(JSON.stringify(told));
}
