import { rm, stat, statfs, writeFile } from 'node:fs/promises';
import type { DropReason } from '#contract/gateway/status.ts';
import { isCounter } from '#contract/telemetry.ts';
import { minuteMs } from '#contract/time.ts';
import type { TrustedTime } from '../trusted-time.ts';
import type { OutboxContext } from './limits.ts';
import { isDamage, replaceSegment, type Sample, type Segment, timeOf, withSeq } from './segment.ts';
import type { Sequence } from './sequence.ts';

type Reading = Record<string, unknown>;
type Minute = { source: string; last: Reading; sums: Map<string, { sum: number; count: number }> };

/** Averages the samples of each DER over each minute. */
class MinuteMeans {
  readonly #minutes = new Map<string, Minute>();

  add(sample: Sample): void {
    const { source, json } = sample;
    const key = `${source} ${Math.floor(timeOf(sample) / minuteMs)}`;
    const minute = this.#minutes.get(key) ?? { source, last: {}, sums: new Map() };
    this.#minutes.set(key, minute);
    const { seq: _, ...reading }: Reading = JSON.parse(json);
    Object.assign(minute.last, reading);
    for (const [name, value] of Object.entries(reading)) {
      if (typeof value !== 'number' || isCounter(name)) continue;
      const { sum, count } = minute.sums.get(name) ?? { sum: 0, count: 0 };
      minute.sums.set(name, { sum: sum + value, count: count + 1 });
    }
  }

  /** Returns how many numbers `samples` will need. */
  get size(): number {
    return this.#minutes.size;
  }

  /** Returns the means as new samples with new numbers, also for a minute with a single sample. */
  samples(firstSeq: number): Sample[] {
    return [...this.#minutes.values()].map(({ source, last, sums }, index) => {
      const seq = firstSeq + index;
      const means = Array.from(sums, ([name, { sum, count }]) => [name, rounded(name, sum / count)]);
      return { seq, source, json: withSeq(JSON.stringify({ ...last, ...Object.fromEntries(means) }), seq) };
    });
  }
}

/** Rounds times to integers and values to seven digits, more than any device measures. */
function rounded(name: string, mean: number): number {
  return name === 'timestamp' || name === 'read_time_ms' ? Math.round(mean) : Number(mean.toPrecision(7));
}

type UpkeepDeps = OutboxContext & {
  time: TrustedTime;
  sequence: Sequence;
  reserve: ReturnType<typeof createReserve>;
  /** files that are complete, oldest first */
  finished(): readonly Segment[];
  replace(old: Segment, by: Segment | undefined): void;
};

class NoNumbers extends Error {}

/** Keeps the outbox within its limits: dates, thins and drops whole files, one at a time. */
export function createUpkeep(deps: UpkeepDeps) {
  const { folder, limits, time, sequence, reserve, drops, log, finished, replace } = deps;
  let busy: Promise<void> = Promise.resolve();
  let thinned = 0;

  const oldestFull = (): Segment | undefined => finished().find(({ kind }) => kind === 'full');

  function alone(work: () => Promise<void>): Promise<void> {
    const done = busy.then(work);
    busy = done.catch(() => {}); // the caller gets the error
    return done;
  }

  async function dateAll(): Promise<void> {
    for (const segment of finished().filter(({ kind }) => kind === 'undated')) {
      if (time.now() === undefined) return;
      const offset = time.offsetNow();
      const dated: Sample[] = [];
      const isRead = await readEach(segment, (sample) => dated.push(shifted(sample, offset)));
      if (!isRead) continue;
      replace(segment, await replaceSegment(folder, segment, 'full', dated));
      log.info({ samples: dated.length }, 'samples dated after the clock was set');
    }
  }

  async function applyAge(): Promise<void> {
    const now = time.steadyNow();
    if (now === undefined) return;
    for (const segment of finished()) {
      if (segment.kind === 'undated') continue;
      if (segment.to < now - limits.maxAgeMs) await drop(segment, 'too_old');
      else if (segment.to < now - limits.fullRateMs && segment.kind === 'full') await thin(segment);
    }
  }

  async function applySize(): Promise<void> {
    const tooLarge = (): boolean => finished().reduce((total, { bytes }) => total + bytes, 0) > limits.maxBytes;
    const isShort = async (): Promise<boolean> => {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize < limits.minFreeBytes;
    };
    for (let oldest = oldestFull(); oldest && (tooLarge() || (await isShort())); oldest = oldestFull()) {
      try {
        await thin(oldest);
      } catch (error) {
        if (!(error instanceof NoNumbers)) throw error;
        await drop(oldest, 'disk_full');
        break; // frees space for new numbers
      }
    }
    for (let [first] = finished(); first && tooLarge(); [first] = finished()) await drop(first, 'outbox_full');
  }

  async function shrinkOldest(): Promise<boolean> {
    const oldest = oldestFull();
    try {
      if (oldest) await thin(oldest);
      if (oldest) return true;
    } catch (error) {
      log.warn({ err: error }, 'failed to thin samples');
    }
    const [first] = finished();
    if (first) await drop(first, 'disk_full');
    return first !== undefined;
  }

  async function thin(segment: Segment): Promise<void> {
    const means = new MinuteMeans();
    let count = 0;
    const isRead = await readEach(segment, (sample) => {
      means.add(sample);
      count++;
    });
    if (!isRead) return;
    if (count === 0) return drop(segment, 'damaged'); // or acknowledged in the meantime
    const first = sequence.take(means.size);
    if (first === undefined) throw new NoNumbers('No numbers could be reserved for thinned samples.');
    replace(segment, await replaceSegment(folder, segment, 'minutes', means.samples(first)));
    thinned += count - means.size;
    log.info({ samples: count, minutes: means.size }, 'old samples thinned to minute means');
  }

  /** Returns whether the file could be read. Drops a damaged file so that upkeep of the others continues. */
  async function readEach(segment: Segment, take: (sample: Sample) => void): Promise<boolean> {
    try {
      for await (const sample of segment.samples()) take(sample);
      return true;
    } catch (error) {
      if (!isDamage(error)) throw error;
      log.error({ err: error, path: segment.path }, 'dropping an unreadable file of the outbox');
      await drop(segment, 'damaged');
      return false;
    }
  }

  async function drop(segment: Segment, reason: DropReason): Promise<void> {
    const lost = segment.waiting.count;
    await segment.remove();
    replace(segment, undefined);
    drops.note(reason, lost);
    if (lost > 0) log.warn({ reason, samples: lost }, 'old samples dropped');
  }

  return {
    thinned: () => thinned,
    run: () =>
      alone(async () => {
        await dateAll();
        await applyAge();
        await applySize();
        await reserve.fill();
      }),
    /** Frees space on a full disk; returns whether it succeeded. */
    async makeRoom(): Promise<boolean> {
      let isMade = false;
      await alone(async () => {
        await reserve.free();
        isMade = await shrinkOldest();
        await reserve.fill();
      }).catch((error: unknown) => log.debug({ err: error }, 'disk still full'));
      return isMade;
    },
    /** Waits for work in progress. */
    settle: () => busy,
  };
}

function shifted({ seq, source, json }: Sample, offset: number): Sample {
  const { seq: _, ...reading } = JSON.parse(json);
  const timestamp = Math.round(reading.timestamp + offset);
  return { seq, source, json: withSeq(JSON.stringify({ ...reading, timestamp }), seq) };
}

/** Reserves disk space for thinning, which writes a new file before it removes the old one. */
export function createReserve(path: string, bytes: number) {
  const free = (): Promise<void> => rm(path, { force: true });
  return {
    free,
    /** Throws when the disk is full. */
    async fill(): Promise<void> {
      const { size } = await stat(path).catch(() => ({ size: 0 }));
      if (size === bytes) return;
      try {
        await writeFile(path, Buffer.alloc(bytes), { mode: 0o600 });
      } catch (error) {
        await free();
        throw error;
      }
    },
  };
}
