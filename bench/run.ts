// npm run bench                    every measurement
// npm run bench -- http start      these
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cells } from './cells.ts';
import { connections } from './connections.ts';
import { control } from './control.ts';
import { gateway } from './gateway.ts';
import { history } from './history.ts';
import { http } from './http.ts';
import { ingest } from './ingest.ts';
import { live } from './live.ts';
import type { Finding } from './measure/finding.ts';
import { table } from './measure/table.ts';
import { outbox } from './outbox.ts';
import { p1 } from './p1.ts';
import { pages } from './pages.ts';
import { priceTotal } from './price-total.ts';
import { prices } from './prices.ts';
import { registry } from './registry.ts';
import { start } from './start.ts';

const benches: Record<string, () => Promise<Finding[]>> = {
  http,
  start,
  registry,
  ingest,
  history,
  connections,
  cells,
  live,
  gateway,
  p1,
  outbox,
  control,
  prices,
  priceTotal,
  pages,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`);
  process.exit(1);
}

const file = join(import.meta.dirname, 'results.json');
let results: { bench: string }[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const findings = await bench();
  console.log(`${name}\n${table(findings)}\n`);
  const found = findings.map((finding) => ({ bench: name, ...finding, goal: undefined }));
  results = [...results.filter(({ bench }) => bench !== name), ...found];
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
}
