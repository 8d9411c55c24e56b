import { readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** One call, measured at 1×, 4× and 16× of its size. */
export type GrowthCase = {
  /** Routes as `GET /sites`, topics as `topic state`. */
  covers: readonly string[];
  what: string;
  /** what the size counts, as `readings` */
  unit: string;
  /** the size at 1× */
  base: number;
  /** `constant`: the size belongs to somebody else, or must not matter. */
  growth?: 'linear' | 'constant';
  /** CPU time of one call at any of the sizes. */
  maxCpuMs?: number;
  /** Makes everything that the call needs, outside of the measurement, and returns the call. */
  prepare(size: number): Promise<() => Promise<unknown>>;
  /** The call uses up what was prepared, so it is prepared again for each measurement. */
  isSingleUse?: boolean;
};

export const factors = [1, 4, 16] as const;

/** At 1×, 4× and 16×. */
type Series = [number, number, number];

export type Measured = { cpuMs: Series; memoryMb: Series };

/**
 * Tolerance. The cost without the fixed part, c(16×) - c(1×), may be `tolerance` times the linear one, 5 × (c(4×) - c(1×)). Linear cost
 * has a ratio of 1, n log n about 1.2, quadratic cost 3.4: twice lies between them with room on both sides for a machine that is
 * shared. `cpuNoiseMs` and `memoryNoiseMb` are what an idle machine shows between two equal calls: timers, the compiler, and
 * young garbage that V8 has not collected yet (three semi-spaces of 16 MB). On a busy machine the fixed part varies by its own size.
 */
const tolerance = 2;
const cpuNoiseMs = 8;
const memoryNoiseMb = 48;

/** Limits of a single call, whatever its growth. */
const maxCpuMs = 1000;
const maxMemoryMb = 200;

const minRounds = 1;
const maxRounds = 40; // of a case that has not passed yet; the lowest figures of all rounds count
const caseCpuMs = 4000; // after this much, a case is not measured again
const measurableMs = 3; // one measurement takes at least this long at 1×, by repeating the call
const longestMeasurementMs = 100;
const maxCalls = 300;

/** Measures until the case passes or no rounds are left. Noise only ever adds, so the lowest figure of all rounds counts. */
export async function measureGrowth(growthCase: GrowthCase): Promise<Measured> {
  const { base, prepare, isSingleUse = false } = growthCase;
  const sizes = factors.map((factor) => base * factor);
  const prepared = await Promise.all(isSingleUse ? [] : sizes.map((size) => prepare(size)));
  const callAt = async (index: number) => prepared[index] ?? (await prepare(sizes[index]!));
  const isPassed = (measured: Partial<Measured>) =>
    faultsOf(growthCase, { cpuMs: [0, 0, 0], memoryMb: [0, 0, 0], ...measured }).length === 0;

  const began = cpuNowMs();
  const { cpuMs, memoryMb } = await measureSingleCalls(callAt);
  for (let again = 0; again < 2 && !isPassed({ memoryMb }); again++) {
    collectGarbage();
    lower(memoryMb, (await measureSingleCalls(callAt)).memoryMb);
  }
  const calls = isSingleUse ? 1 : callsFor(cpuMs);
  for (let round = 0; round < maxRounds; round++) {
    const isSpent = cpuNowMs() - began > caseCpuMs;
    if (isSpent || (round >= minRounds && isPassed({ cpuMs }))) break;
    const measured: Series = [0, 0, 0];
    for (const index of indices) measured[index] = await cpuOf(await callAt(index), calls);
    lower(cpuMs, measured);
  }
  return { cpuMs, memoryMb };
}

const indices = [0, 1, 2] as const;

function lower(lowest: Series, measured: Series): void {
  for (const index of indices) lowest[index] = Math.min(lowest[index], measured[index]);
}

/** Lists figures that grow faster than the size, or are too high, one sentence each. */
export function faultsOf(
  { growth = 'linear', maxCpuMs: maxOfCase = maxCpuMs }: Pick<GrowthCase, 'growth' | 'maxCpuMs'>,
  { cpuMs, memoryMb }: Measured,
): string[] {
  const faults: string[] = [];
  for (const [name, unit, [one, four, sixteen], noise, most] of [
    ['CPU time', 'ms', cpuMs, cpuNoiseMs, maxOfCase],
    ['memory', 'MB', memoryMb, memoryNoiseMb, maxMemoryMb],
  ] as const) {
    const linear = growth === 'linear' ? 5 * Math.max(0, four - one) : one;
    const allowed = one + tolerance * linear + Math.max(noise, one);
    const figures = `${one.toFixed(1)}, ${four.toFixed(1)}, ${sixteen.toFixed(1)} ${unit} at 1×, 4×, 16×`;
    if (sixteen > allowed) {
      const limit = growth === 'linear' ? 'faster than the size' : 'with a size that must not matter';
      faults.push(`${name} grows ${limit}: ${figures}, where at most ${allowed.toFixed(1)} ${unit} is allowed at 16×.`);
    }
    if (Math.max(one, four, sixteen) > most)
      faults.push(`${name} is too high: ${figures}, where at most ${most} ${unit} is allowed.`);
  }
  return faults;
}

/** Number of calls that makes one measurement longer than the noise, but not too long. */
function callsFor([least, , most]: Series): number {
  const enough = Math.ceil(measurableMs / Math.max(least, 0.02));
  return Math.max(1, Math.min(enough, Math.floor(longestMeasurementMs / Math.max(most, 0.02)), maxCalls));
}

const cpuNowMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** CPU time of all threads of this process, for one call. */
async function cpuOf(call: () => Promise<unknown>, calls: number): Promise<number> {
  const began = cpuNowMs();
  for (let n = 0; n < calls; n++) await call();
  return (cpuNowMs() - began) / calls;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
setFlagsFromString('--no-expose-gc'); // the compile cache rejects code of other flags

/** Calls once at each size: returns the growth of memory and a first estimate of CPU time. */
async function measureSingleCalls(callAt: (index: number) => Promise<() => Promise<unknown>>): Promise<Measured> {
  const measured: Measured = { cpuMs: [0, 0, 0], memoryMb: [0, 0, 0] };
  for (const index of indices) {
    const call = await callAt(index);
    const before = startPeak();
    measured.cpuMs[index] = await cpuOf(call, 1);
    measured.memoryMb[index] = Math.max(0, peakMb() - before);
  }
  return measured;
}

const toMb = 1 / 1024 / 1024;

/** Resets the recorded peak of memory, which only Linux can do. */
function startPeak(): number {
  if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5');
  return process.memoryUsage.rss() * toMb;
}

function peakMb(): number {
  if (process.platform !== 'linux') return process.memoryUsage.rss() * toMb;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))!;
  return Number(kilobytes) / 1024;
}
