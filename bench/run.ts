// npm run bench                    every measurement
// npm run bench -- http start      these
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { http } from './http.ts';
import type { Finding } from './measure/finding.ts';
import { table } from './measure/table.ts';
import { registry } from './registry.ts';
import { start } from './start.ts';

const benches: Record<string, () => Promise<Finding[]>> = { http, start, registry };

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`);
  process.exit(1);
}

const results: object[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const findings = await bench();
  console.log(`${name}\n${table(findings)}\n`);
  results.push(...findings.map((finding) => ({ bench: name, ...finding, goal: undefined })));
}
writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
