// npm run prove                         everything in full
// npm run prove -- --minutes 30         as much of everything as fits
// npm run prove -- S5 'S8 XML'          only these; the results of the others stay in proof.json
// npm run prove -- --resume             continues what an interrupted run of the same version has left
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
  options: {
    minutes: { type: 'string' },
    resume: { type: 'boolean' },
    list: { type: 'boolean' },
    document: { type: 'boolean' },
  },
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
  const result = await prove(proof);
  proven.push(result);
  keep(result);
}
console.log(columns([['id', 'what', 'tried', 'failed', 'planted bug', 'seconds'], ...proven.map(cellsOf)]));
process.exitCode = proven.some(({ failed, planted_bug_caught }) => failed > 0 || !planted_bug_caught) ? 1 : 0;

function keep(result: Proven): void {
  keepProven(
    provenFile,
    [result],
    proofs.map(({ id }) => id),
  );
}

async function prove(proof: Proof): Promise<Proven> {
  const began = performance.now();
  const before = options.resume ? unfinished(proof) : undefined;
  const secondsNow = (): number => Math.round((performance.now() - began) / 1000) + (before?.seconds ?? 0);
  const resultOf = (outcome: Outcome, isCaught: boolean, isFull: boolean): Proven => ({
    id: proof.id,
    what: proof.what,
    ...outcome,
    planted_bug_caught: isCaught,
    seconds: secondsNow(),
    in_full: isFull,
    ...(version !== undefined && { version }),
  });
  const outcome = await attemptAll(proof, before, (soFar) => keep(resultOf(soFar, false, false)));
  const noticed = await proof.planted().catch((error: unknown): Outcome => {
    console.log(`  the planted bug: ${String(error)}`);
    return { tried: 0, failed: 0 };
  });
  return resultOf(outcome, noticed.failed > 0, share === 1);
}

/** Runs all trials, in portions if the proof has them; `onPortion` gets the sum after each. */
async function attemptAll(
  { full, portion, attempt }: Proof,
  before: Outcome | undefined,
  onPortion: (soFar: Outcome) => void,
): Promise<Outcome> {
  const wanted = Math.max(1, Math.round(full * share));
  let sum: Outcome = { tried: before?.tried ?? 0, failed: before?.failed ?? 0, notes: [...(before?.notes ?? [])] };
  for (;;) {
    const outcome = await attempt(Math.min(portion ?? wanted, wanted - sum.tried)).catch(broken);
    for (const note of outcome.notes ?? []) console.log(`  ${note}`);
    const { tried, failed, notes = [] } = outcome;
    sum = { tried: sum.tried + tried, failed: sum.failed + failed, notes: [...(sum.notes ?? []), ...notes] };
    if (!portion || sum.failed > 0 || sum.tried >= wanted) return sum;
    onPortion(sum);
  }
}

/** Returns the trials of this version that an interrupted run has left. */
function unfinished({ id, portion, full }: Proof): Proven | undefined {
  if (portion === undefined) return undefined;
  const isLeft = (each: Proven): boolean =>
    each.id === id && each.version === version && !each.failed && each.tried < full;
  return readProven(provenFile).find(isLeft);
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
