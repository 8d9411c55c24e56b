import type { FuzzReport } from './fuzz-report.ts';
import type { FuzzTarget } from './targets.ts';

export type Fuzzed = Required<FuzzReport> & { peakMb: number };

type Options = {
  cases: number;
  seed: number;
  onProgress?(part: number): void;
};

const portionCases = 2000; // between two checks of the heap
const mostHeapMb = 256;

/** Runs that many cases of a target, in portions that can be repeated by their seed. */
export async function fuzzInPortions(
  { what, fuzz }: Pick<FuzzTarget, 'what' | 'fuzz'>,
  { cases, seed, onProgress }: Options,
): Promise<Fuzzed> {
  const fuzzed: Fuzzed = { cases: 0, frames: 0, wrong: [], slowestMs: 0, byChance: 0, peakMb: 0 };
  for (let portion = 0; portion * portionCases < cases; portion++) {
    const portionSeed = (seed + portion * 0x9e37_79b1) >>> 0;
    const count = Math.min(portionCases, cases - portion * portionCases);
    const report = await tried(() => fuzz(portionSeed, count), count);
    fuzzed.cases += report.cases;
    fuzzed.frames += report.frames;
    fuzzed.byChance += report.byChance ?? 0;
    fuzzed.wrong.push(...report.wrong.map((fault) => `${what}, --seed ${portionSeed}: ${fault}`));
    fuzzed.slowestMs = Math.max(fuzzed.slowestMs, report.slowestMs);
    fuzzed.peakMb = Math.max(fuzzed.peakMb, process.memoryUsage().heapUsed / 1e6);
    onProgress?.(fuzzed.cases / cases);
  }
  if (fuzzed.peakMb > mostHeapMb) fuzzed.wrong.push(`${what}: more than ${mostHeapMb} MB of heap`);
  return fuzzed;
}

/** An exception of a target is a finding, and the rest of its portion is skipped. */
async function tried(fuzz: () => FuzzReport | Promise<FuzzReport>, cases: number): Promise<FuzzReport> {
  try {
    return await fuzz();
  } catch (error) {
    return { cases, frames: 0, wrong: [`threw ${String(error)}`], slowestMs: 0 };
  }
}
