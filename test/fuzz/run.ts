// npm run fuzz                                  a million cases
// npm run fuzz -- --cases 5000 --seed 17        that many, with this seed
import { columns } from '../../cli/terminal/output.ts';
import { createProgress } from '../../cli/terminal/screen.ts';
import { parseCommandLine } from '../command-line.ts';

const { values: asked } = parseCommandLine(import.meta.filename, {
  options: { cases: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const [cases, seed] = [Number(asked.cases), Number(asked.seed)];
if (!(Number.isInteger(cases) && cases > 0 && Number.isInteger(seed) && seed >= 0)) {
  console.error('--cases takes a whole number from 1, --seed one from 0.');
  process.exit(2);
}

const { fuzzInPortions } = await import('./portions.ts'); // all targets: an invalid option is reported before
const { fuzzTargets, protocols } = await import('./targets.ts');
const mostShown = 10;

const rows = [['what', 'cases', 'frames', 'wrong', 'slowest ms', 'peak heap MB']];
const wrong: string[] = [];
for (const target of fuzzTargets) {
  using progress = createProgress(process, target.what);
  const fuzzed = await fuzzInPortions(target, {
    cases: Math.ceil((cases * target.share) / protocols.length),
    seed,
    onProgress: (part) => progress.show(part),
  });
  const counts = [fuzzed.cases, fuzzed.frames, fuzzed.wrong.length].map(String);
  rows.push([target.what, ...counts, fuzzed.slowestMs.toFixed(2), fuzzed.peakMb.toFixed(0)]);
  wrong.push(...fuzzed.wrong.slice(0, mostShown));
}
console.log([columns(rows), ...wrong].join('\n'));
process.exitCode = wrong.length > 0 ? 1 : 0;
