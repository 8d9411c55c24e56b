// npm run bench                    every measurement
// npm run bench -- http start      these
// MINUTES=20 npm run bench -- soak  under mixed load for so long
// npm run bench -- --document      none, but writes the results there are into docs/performance.md
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCommandLine } from '#test/command-line.ts';
import { type Result, writeTables } from './measure/document.ts';
import { table } from './measure/table.ts';

const { positionals: asked, values: options } = parseCommandLine(import.meta.filename, {
  allowPositionals: true,
  options: { document: { type: 'boolean' } },
});
const { benches, onRequest } = await import('./benches.ts'); // loaded after the arguments were checked
const all = { ...benches, ...onRequest };
const unknown = asked.filter((name) => !(name in all));
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(', ')}; available: ${Object.keys(all).join(', ')}.`);
  process.exit(2);
}

const file = join(import.meta.dirname, 'results.json');
let results: Result[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
if (options.document) {
  const missing = writeTables(join(import.meta.dirname, '../docs/performance.md'), results);
  if (missing.length > 0) console.log(`Not measured here, so their tables stand as they were: ${missing.join(', ')}.`);
  process.exit();
}
for (const [name, bench] of Object.entries(asked.length > 0 ? all : benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const findings = await bench();
  console.log(`${name}\n${table(findings)}\n`);
  results = [...results.filter(({ bench }) => bench !== name), ...findings.map((found) => ({ bench: name, ...found }))];
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
}
