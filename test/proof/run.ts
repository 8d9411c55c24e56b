// npm run prove                         everything in full
// npm run prove -- --minutes 30         as much of everything as fits
// npm run prove -- F01 S5               these
// npm run prove -- --list               what there is
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { columns } from '../../cli/output.ts';
import { root } from '../source-files.ts';
import type { Proof, Proven } from './proof.ts';
import { proofs } from './proofs.ts';

const { values: options, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string' }, list: { type: 'boolean' } },
});
const unknown = asked.filter((id) => !proofs.some((proof) => proof.id === id));
if (unknown.length > 0) fail(`There is no proof ${unknown.join(', ')}; npm run prove -- --list shows all.`);
const budget = options.minutes === undefined ? Number.POSITIVE_INFINITY : Number(options.minutes) * 60;
if (!(budget > 0)) fail('--minutes takes a number above 0.');

const chosen = proofs.filter(({ id }) => asked.length === 0 || asked.includes(id));
if (options.list) {
  console.log(columns(chosen.map(({ id, what, full, seconds }) => [id, what, String(full), `${seconds} s`])));
  process.exit();
}
const share = Math.min(1, budget / chosen.reduce((sum, { seconds }) => sum + seconds, 0));
const proven: Proven[] = [];
for (const proof of chosen) {
  console.log(`${proof.id}: ${proof.what}`);
  proven.push(await prove(proof));
  writeFileSync(join(root, 'proof.json'), `${JSON.stringify(proven, null, 2)}\n`);
}
console.log(columns([['id', 'what', 'tried', 'failed', 'planted bug', 'seconds'], ...proven.map(cellsOf)]));
process.exitCode = proven.some(({ failed, planted_bug_caught }) => failed > 0 || planted_bug_caught === false) ? 1 : 0;

async function prove({ id, what, full, attempt, planted }: Proof): Promise<Proven> {
  const began = performance.now();
  const outcome = await attempt(Math.max(1, Math.round(full * share)));
  for (const note of outcome.notes ?? []) console.log(`  ${note}`);
  const planted_bug_caught = planted ? (await planted()).failed > 0 : null;
  return { id, what, ...outcome, planted_bug_caught, seconds: Math.round((performance.now() - began) / 1000) };
}

function cellsOf({ id, what, tried, failed, planted_bug_caught, seconds }: Proven): string[] {
  const planted = planted_bug_caught === null ? '' : planted_bug_caught ? 'caught' : 'MISSED';
  return [id, what, String(tried), String(failed), planted, String(seconds)];
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
