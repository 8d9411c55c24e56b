// npm run prove                         everything in full
// npm run prove -- --minutes 30         as much of everything as fits
// npm run prove -- S5 'S8 XML'          only these; the results of the others stay in proof.json
// npm run prove -- --list               lists all proofs
// npm run prove -- --document           runs none, but writes the results into docs/guarantees.md
import { join } from 'node:path';
import { columns } from '../../cli/terminal/output.ts';
import { parseCommandLine } from '../command-line.ts';
import { root } from '../source-files.ts';
import { writeFigures } from './document.ts';
import type { Outcome, Proof, Proven } from './proof.ts';
import { keepProven, readProven } from './proven-file.ts';
import { versionOf } from './version.ts';

const { values: options, positionals: asked } = parseCommandLine(import.meta.filename, {
  allowPositionals: true,
  options: { minutes: { type: 'string' }, list: { type: 'boolean' }, document: { type: 'boolean' } },
});
const { proofs } = await import('./proofs.ts'); // imported late, so that an invalid option is reported first
const provenFile = join(root, 'proof.json');
const unknown = asked.filter((id) => !proofs.some((proof) => proof.id === id));
if (unknown.length > 0) fail(`Unknown proof ${unknown.join(', ')}; npm run prove -- --list shows all.`);
const budget = options.minutes === undefined ? Number.POSITIVE_INFINITY : Number(options.minutes) * 60;
if (!(budget > 0)) fail('--minutes takes a number above 0.');

const chosen = proofs.filter(({ id }) => asked.length === 0 || asked.includes(id));
if (options.list) {
  console.log(columns(chosen.map(({ id, what, full, seconds }) => [id, what, String(full), `${seconds} s`])));
  process.exit();
}
if (options.document) {
  writeFigures(join(root, 'docs/guarantees.md'), proofs, readProven(provenFile));
  process.exit();
}
const share = Math.min(1, budget / chosen.reduce((sum, { seconds }) => sum + seconds, 0));
const version = versionOf(root);
const proven: Proven[] = [];
for (const proof of chosen) {
  console.log(`${proof.id}: ${proof.what}`);
  proven.push(await prove(proof));
  keepProven(
    provenFile,
    proven,
    proofs.map(({ id }) => id),
  );
}
console.log(columns([['id', 'what', 'tried', 'failed', 'planted bug', 'seconds'], ...proven.map(cellsOf)]));
process.exitCode = proven.some(({ failed, planted_bug_caught }) => failed > 0 || !planted_bug_caught) ? 1 : 0;

async function prove({ id, what, full, attempt, planted }: Proof): Promise<Proven> {
  const began = performance.now();
  const outcome = await attempt(Math.max(1, Math.round(full * share))).catch(broken);
  for (const note of outcome.notes ?? []) console.log(`  ${note}`);
  const noticed = await planted().catch((error: unknown): Outcome => {
    console.log(`  the planted bug: ${String(error)}`);
    return { tried: 0, failed: 0 };
  });
  const seconds = Math.round((performance.now() - began) / 1000);
  return {
    id,
    what,
    ...outcome,
    planted_bug_caught: noticed.failed > 0,
    seconds,
    in_full: share === 1,
    ...(version !== undefined && { version }),
  };
}

/** A trial that could not run does not stop the next one. */
function broken(error: unknown): Outcome {
  return { tried: 0, failed: 1, notes: [String(error)] };
}

function cellsOf({ id, what, tried, failed, planted_bug_caught, seconds }: Proven): string[] {
  return [id, what, String(tried), String(failed), planted_bug_caught ? 'caught' : 'MISSED', String(seconds)];
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
