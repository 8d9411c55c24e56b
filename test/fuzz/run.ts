// npm run fuzz                                  a million cases
// npm run fuzz -- --cases 5000 --seed 17        so many, and these
import { parseArgs } from 'node:util';
import { columns } from '../../cli/output.ts';
import { createProgress } from '../../cli/progress.ts';
import { type FuzzTarget, fuzzTargets } from './targets.ts';

const { values: asked } = parseArgs({
  options: { cases: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const [cases, seed] = [Number(asked.cases), Number(asked.seed)];
if (!(Number.isInteger(cases) && cases > 0 && Number.isInteger(seed) && seed >= 0)) {
  console.error('--cases takes a whole number from 1, --seed one from 0.');
  process.exit(2);
}

const portionCases = 2000; // between two looks at the heap
const mostHeapMb = 256;
const mostShown = 10;

type Outcome = { cases: number; frames: number; wrong: string[]; slowestMs: number; peakMb: number };

async function run({ what, fuzz }: FuzzTarget, count: number): Promise<Outcome> {
  const outcome: Outcome = { cases: 0, frames: 0, wrong: [], slowestMs: 0, peakMb: 0 };
  const progress = createProgress(process, what);
  for (let portion = 0; outcome.cases < count; portion++) {
    const portionSeed = (seed + portion * 0x9e37_79b1) >>> 0;
    const report = await fuzz(portionSeed, Math.min(portionCases, count - outcome.cases));
    outcome.cases += report.cases;
    outcome.frames += report.frames;
    outcome.wrong.push(...report.wrong.map((fault) => `${what}, --seed ${portionSeed}: ${fault}`));
    outcome.slowestMs = Math.max(outcome.slowestMs, report.slowestMs);
    outcome.peakMb = Math.max(outcome.peakMb, process.memoryUsage().heapUsed / 1e6);
    progress.show(outcome.cases / count);
  }
  progress.end();
  if (outcome.peakMb > mostHeapMb) outcome.wrong.push(`${what}: more than ${mostHeapMb} MB of heap`);
  return outcome;
}

const rows = [['what', 'cases', 'frames', 'wrong', 'slowest ms', 'peak heap MB']];
const wrong: string[] = [];
for (const target of fuzzTargets) {
  const outcome = await run(target, Math.ceil(cases * target.share));
  const { slowestMs, peakMb } = outcome;
  const counts = [outcome.cases, outcome.frames, outcome.wrong.length].map(String);
  rows.push([target.what, ...counts, slowestMs.toFixed(2), peakMb.toFixed(0)]);
  wrong.push(...outcome.wrong.slice(0, mostShown));
}
console.log([columns(rows), ...wrong].join('\n'));
process.exitCode = wrong.length > 0 ? 1 : 0;
