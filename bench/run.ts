// npm run bench                    every measurement
// npm run bench -- http start      these
// MINUTES=20 npm run bench -- soak  under mixed load for so long
// npm run bench -- --document      none, but writes the results there are into docs/performance.md
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askedOf } from '#test/asked-of.ts';
import { claim } from './claim.ts';
import { cluster } from './cluster.ts';
import { connections } from './connections.ts';
import { control } from './control.ts';
import { gateway } from './gateway.ts';
import { gateways } from './gateways.ts';
import { history } from './history.ts';
import { http } from './http.ts';
import { ingest } from './ingest.ts';
import { kills } from './kills.ts';
import { live } from './live.ts';
import { login } from './login.ts';
import { type Result, writeTables } from './measure/document.ts';
import type { Finding } from './measure/finding.ts';
import { table } from './measure/table.ts';
import { outbox } from './outbox.ts';
import { p1 } from './p1.ts';
import { pages } from './pages.ts';
import { priceTotal } from './price-total.ts';
import { prices } from './prices.ts';
import { registry } from './registry.ts';
import { restMix } from './rest-mix.ts';
import { scale } from './scale.ts';
import { soak } from './soak.ts';
import { start } from './start.ts';
import { storage } from './storage.ts';

const benches: Record<string, () => Promise<Finding[]>> = {
  start,
  http,
  login,
  claim,
  restMix,
  registry,
  ingest,
  storage,
  history,
  kills,
  connections,
  gateways,
  live,
  cluster,
  scale,
  gateway,
  p1,
  outbox,
  control,
  prices,
  priceTotal,
  pages,
};

/** Those that run only when they are named. */
const onRequest: Record<string, () => Promise<Finding[]>> = { soak };

const { positionals: asked, values: options } = askedOf(import.meta.filename, {
  allowPositionals: true,
  options: { document: { type: 'boolean' } },
});
const all = { ...benches, ...onRequest };
const unknown = asked.filter((name) => !(name in all));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(all).join(', ')}.`);
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
