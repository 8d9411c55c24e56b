// npm run mutate                 all cores: lists the mutants that no test notices, and writes the scores into docs/guarantees.md
// npm run mutate -- lease claim  only these cores
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable, writeBetweenMarks } from '../../docs/document-tables.ts';
import { root } from '../../source-files.ts';
import { testEnvironment } from '../../test-environment.ts';
import { versionOf } from '../version.ts';
import { type Core, cores } from './cores.ts';
import { mutantsOf } from './mutants.ts';

const maxAtOnce = 2;
const minWaitMs = 10_000; // a mutant that takes much longer than the unchanged code never ends
const preload = import.meta.resolve('./preload.ts');

type Score = { mutants: number; survivors: string[] };

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !cores.some((core) => core.name === name));
if (unknown.length > 0) {
  console.error(`Unknown core ${unknown.join(', ')}; choose from ${cores.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const scores = new Map<string, Score>();
for (const core of cores) {
  if (chosen.length > 0 && !chosen.includes(core.name)) continue;
  const score = await measure(core);
  scores.set(core.name, score);
  console.log(`${core.name}: ${score.mutants - score.survivors.length} of ${score.mutants} mutants noticed`);
  for (const survivor of score.survivors) console.log(`  ${survivor}`);
  writeBetweenMarks(join(root, 'docs/guarantees.md'), 'mutation', (_names, standing) => tableOf(standing));
}

async function measure({ files, tests }: Core): Promise<Score> {
  const began = performance.now();
  if (!(await allPass(tests, {}))) throw new Error(`${tests.join(', ')} fails without a mutant.`);
  const maxMs = Math.max(minWaitMs, Math.ceil(5 * (performance.now() - began)));
  const waiting = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return mutantsOf(source).map((mutant) => ({ file, source, ...mutant }));
  });
  const score: Score = { mutants: waiting.length, survivors: [] };
  async function work(): Promise<void> {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const { file, source, start, end, text, line } = mutant;
      if (!(await allPass(tests, { MUTANT: JSON.stringify({ file, start, end, text }) }, maxMs))) continue;
      score.survivors.push(`${file}:${line}: ${source.slice(start, end).slice(0, 60)} -> ${text}`);
    }
  }
  await Promise.all(Array.from({ length: maxAtOnce }, work));
  return score;
}

async function allPass(tests: readonly string[], env: { MUTANT?: string }, maxMs = 0): Promise<boolean> {
  for (const test of tests) if (!(await passes(test, env, maxMs))) return false;
  return true;
}

/** Without the test runner's own process, a test file takes half the time. A mutant that never ends counts as noticed. */
async function passes(test: string, env: { MUTANT?: string }, maxMs: number): Promise<boolean> {
  const options = env.MUTANT ? ['--import', preload] : [];
  const child = spawn(process.execPath, [...options, test], {
    cwd: root,
    env: { ...process.env, ...testEnvironment, TEST_WITHOUT_POSTGRES: 'yes', ...env },
    stdio: 'ignore',
    ...(maxMs > 0 && { timeout: maxMs }),
    killSignal: 'SIGKILL',
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}

/** One row for each core; a core that was not measured keeps its row. */
function tableOf(standing: string): string {
  const rows = cores.map(({ name, files }) => {
    const score = scores.get(name);
    if (!score) return rowIn(standing, name) ?? [name, files.join(', '), '', 'not measured yet', ''];
    const noticed = score.mutants - score.survivors.length;
    const percent = `${Math.floor((100 * noticed) / score.mutants)} %`;
    return [name, files.join(', '), String(score.mutants), `${noticed} (${percent})`, versionOf(root) ?? '-'];
  });
  return markdownTable(['Core', 'Files', 'Mutants', 'Noticed', 'Version'], rows);
}

function rowIn(standing: string, name: string): string[] | undefined {
  const row = standing.split('\n').find((line) => line.startsWith(`| ${name} | `));
  return row?.slice(2, -2).split(' | ');
}
