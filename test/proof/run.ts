// npm run prove                         everything in full, and writes the figures into docs/guarantees.md
// npm run prove -- S5 'S8 XML'          only these
// npm run prove -- --resume             only what docs/guarantees.md lacks of this version
// npm run prove -- --minutes 30         as much of everything as fits, without writing
// npm run prove -- --list               lists all proofs
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { columns } from '../../cli/terminal/output.ts';
import { parseCommandLine } from '../command-line.ts';
import { root } from '../source-files.ts';
import { testEnvironment } from '../test-environment.ts';
import type { Attempted } from './attempt.ts';
import { runBeside } from './beside.ts';
import { readFigure, writeFigures } from './document.ts';
import type { Proof, Proven } from './proof.ts';
import { versionOf } from './version.ts';

const { values: options, positionals: asked } = parseCommandLine(import.meta.filename, {
  allowPositionals: true,
  options: { minutes: { type: 'string' }, resume: { type: 'boolean' }, list: { type: 'boolean' } },
});
const { proofs } = await import('./proofs.ts'); // imported late, so that an invalid option is reported first
const unknown = asked.filter((id) => !proofs.some((proof) => proof.id === id));
if (unknown.length > 0) fail(`Unknown proof ${unknown.join(', ')}; npm run prove -- --list shows all.`);
const budget = options.minutes === undefined ? Number.POSITIVE_INFINITY : Number(options.minutes) * 60;
if (!(budget > 0)) fail('--minutes takes a number above 0.');

const chosen = proofs.filter(({ id }) => asked.length === 0 || asked.includes(id));
if (options.list) {
  console.log(columns(chosen.map(({ id, what, full, seconds }) => [id, what, String(full), `${seconds} s`])));
  process.exit();
}
const guarantees = join(root, 'docs/guarantees.md');
const share = Math.min(1, budget / chosen.reduce((sum, { seconds }) => sum + seconds, 0));
const version = versionOf(root);
const isWritten = share === 1 && version !== undefined;
if (share < 1) console.log('The figures are only printed, because not all trials fit into the minutes.');
else if (!isWritten)
  console.log('The figures are only printed, because files differ from the commit, or git is missing.');

const rows: string[][] = [];
await runBeside(chosen, availableParallelism(), async (proof) => {
  const began = performance.now();
  const before = options.resume ? earlier(proof) : undefined;
  if (before?.in_full) return console.log(`${proof.id}: proven before`);
  const { tried, failed, planted_bug_caught } = await prove(proof, before?.tried ?? 0);
  const seconds = Math.round((performance.now() - began) / 1000);
  const planted = planted_bug_caught ? 'caught' : 'MISSED';
  rows.push([proof.id, proof.what, String(tried), String(failed), planted, String(seconds)]);
  if (failed > 0 || !planted_bug_caught) process.exitCode = 1;
});
console.log(columns([['id', 'what', 'tried', 'failed', 'planted bug', 'seconds'], ...rows]));

/** Runs the trials that were not run before, and the planted bug. Writes the figure after each portion. */
async function prove(proof: Proof, before: number): Promise<Proven> {
  const { id, what, full } = proof;
  console.log(`${id}: ${what}`);
  const proven: Proven = { id, tried: before, failed: 0, in_full: false, planted_bug_caught: false };
  if (version !== undefined) proven.version = version;
  const wanted = Math.max(1, Math.round(full * share));
  const child = fork(join(import.meta.dirname, 'attempt.ts'), [id, String(before), String(wanted)], {
    env: { ...process.env, ...testEnvironment },
  });
  child.on('message', (attempted: Attempted) => {
    const outcome = 'trials' in attempted ? attempted.trials : attempted.planted;
    for (const note of outcome.notes ?? []) console.log(`  ${id}: ${note}`);
    if ('trials' in attempted) {
      proven.tried += outcome.tried;
      proven.failed += outcome.failed;
    } else {
      proven.in_full = true;
      proven.planted_bug_caught = outcome.failed > 0;
    }
    if (isWritten) writeFigures(guarantees, proofs, [proven]);
  });
  await once(child, 'close');
  if (!proven.in_full) console.log(`  ${id}: ended early`);
  return proven;
}

/** Returns what docs/guarantees.md has of this version. */
function earlier({ id, portion }: Proof): Proven | undefined {
  const row = readFigure(guarantees, id);
  if (row === undefined || version === undefined || row.version !== version || row.failed > 0) return undefined;
  return (row.in_full ? row.planted_bug_caught : portion !== undefined) ? row : undefined;
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
