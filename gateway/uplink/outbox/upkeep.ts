import { rm, stat, statfs, writeFile } from 'node:fs/promises';
import type { DropReason } from '#contract/gateway/status.ts';
import type { Logger } from '#lib/log.ts';
import type { TrustedTime } from '../trusted-time.ts';
import type { Drops, OutboxLimits } from './limits.ts';
import { MinuteMeans } from './minute-means.ts';
import { isDamage, replaceSegment, type Sample, type Segment, withSeq } from './segment.ts';
import type { Sequence } from './sequence.ts';

type UpkeepDeps = {
  folder: string;
  limits: OutboxLimits;
  time: TrustedTime;
  sequence: Sequence;
  reserve: Reserve;
  drops: Drops;
  log: Logger;
  /** files that are complete, oldest first */
  finished(): readonly Segment[];
  replace(old: Segment, by: Segment | undefined): void;
};

class NoNumbers extends Error {}

/** Keeps the outbox within its limits: dates, thins and drops whole files, one at a time. */
export class Upkeep {
  readonly #deps: UpkeepDeps;
  #busy: Promise<void> = Promise.resolve();
  thinned = 0;

  constructor(deps: UpkeepDeps) {
    this.#deps = deps;
  }

  run(): Promise<void> {
    return this.#alone(async () => {
      await this.#dateAll();
      await this.#applyAge();
      await this.#applySize();
      await this.#deps.reserve.fill();
    });
  }

  /** Frees space on a full disk; returns whether it succeeded. */
  async makeRoom(): Promise<boolean> {
    let isMade = false;
    await this.#alone(async () => {
      await this.#deps.reserve.free();
      isMade = await this.#shrinkOldest();
      await this.#deps.reserve.fill();
    }).catch((error: unknown) => this.#deps.log.debug({ err: error }, 'disk still full'));
    return isMade;
  }

  async #shrinkOldest(): Promise<boolean> {
    const { log, finished } = this.#deps;
    const oldest = finished().find(({ kind }) => kind === 'full');
    try {
      if (oldest) await this.#thin(oldest);
      if (oldest) return true;
    } catch (error) {
      log.warn({ err: error }, 'failed to thin samples');
    }
    const [first] = finished();
    if (first) await this.#drop(first, 'disk_full');
    return first !== undefined;
  }

  /** Waits for work in progress. */
  settle(): Promise<void> {
    return this.#busy;
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#busy.then(work);
    this.#busy = done.catch(() => {}); // the caller gets the error
    return done;
  }

  async #dateAll(): Promise<void> {
    const { time, folder, finished, replace } = this.#deps;
    for (const segment of finished().filter(({ kind }) => kind === 'undated')) {
      if (time.now() === undefined) return;
      const offset = time.offsetNow();
      const dated: Sample[] = [];
      const isRead = await this.#read(segment, (sample) => dated.push(shifted(sample, offset)));
      if (!isRead) continue;
      replace(segment, await replaceSegment(folder, segment, 'full', dated));
      this.#deps.log.info({ samples: dated.length }, 'samples dated after the clock was set');
    }
  }

  async #applyAge(): Promise<void> {
    const { time, limits, finished } = this.#deps;
    const now = time.steadyNow();
    if (now === undefined) return;
    for (const segment of finished()) {
      if (segment.kind === 'undated') continue;
      if (segment.to < now - limits.maxAgeMs) await this.#drop(segment, 'too_old');
      else if (segment.to < now - limits.fullRateMs && segment.kind === 'full') await this.#thin(segment);
    }
  }

  async #applySize(): Promise<void> {
    const { limits, finished, folder } = this.#deps;
    const tooLarge = (): boolean => sum(finished().map(({ bytes }) => bytes)) > limits.maxBytes;
    const oldestFull = (): Segment | undefined => finished().find(({ kind }) => kind === 'full');
    const isShort = async (): Promise<boolean> => {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize < limits.minFreeBytes;
    };
    for (let oldest = oldestFull(); oldest && (tooLarge() || (await isShort())); oldest = oldestFull()) {
      try {
        await this.#thin(oldest);
      } catch (error) {
        if (!(error instanceof NoNumbers)) throw error;
        await this.#drop(oldest, 'disk_full');
        break; // frees space for new numbers
      }
    }
    for (let [first] = finished(); first && tooLarge(); [first] = finished()) await this.#drop(first, 'outbox_full');
  }

  async #thin(segment: Segment): Promise<void> {
    const { folder, sequence, replace, log } = this.#deps;
    const means = new MinuteMeans();
    let count = 0;
    const isRead = await this.#read(segment, (sample) => {
      means.add(sample);
      count++;
    });
    if (!isRead) return;
    if (count === 0) return this.#drop(segment, 'damaged'); // or acknowledged in the meantime
    const first = sequence.take(means.size);
    if (first === undefined) throw new NoNumbers('No numbers could be reserved for thinned samples.');
    replace(segment, await replaceSegment(folder, segment, 'minutes', means.samples(first)));
    this.thinned += count - means.size;
    log.info({ samples: count, minutes: means.size }, 'old samples thinned to minute means');
  }

  /** Returns whether the file could be read. Drops a damaged file so that upkeep of the others continues. */
  async #read(segment: Segment, take: (sample: Sample) => void): Promise<boolean> {
    try {
      for await (const sample of segment.samples()) take(sample);
      return true;
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#deps.log.error({ err: error, path: segment.path }, 'dropping an unreadable file of the outbox');
      await this.#drop(segment, 'damaged');
      return false;
    }
  }

  async #drop(segment: Segment, reason: DropReason): Promise<void> {
    const { drops, log, replace } = this.#deps;
    const lost = segment.waiting.count;
    await segment.remove();
    replace(segment, undefined);
    drops.note(reason, lost);
    if (lost > 0) log.warn({ reason, samples: lost }, 'old samples dropped');
  }
}

function shifted({ seq, source, json }: Sample, offset: number): Sample {
  const { seq: _, ...reading } = JSON.parse(json);
  return {
    seq,
    source,
    json: withSeq(JSON.stringify({ ...reading, timestamp: Math.round(reading.timestamp + offset) }), seq),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Disk space reserved for thinning, which writes a new file before it removes the old one. */
export class Reserve {
  readonly #path: string;
  readonly #bytes: number;

  constructor(path: string, bytes: number) {
    this.#path = path;
    this.#bytes = bytes;
  }

  /** Throws when the disk is full. */
  async fill(): Promise<void> {
    if ((await this.#size()) === this.#bytes) return;
    try {
      await writeFile(this.#path, Buffer.alloc(this.#bytes), { mode: 0o600 });
    } catch (error) {
      await this.free();
      throw error;
    }
  }

  async free(): Promise<void> {
    await rm(this.#path, { force: true });
  }

  async #size(): Promise<number> {
    try {
      return (await stat(this.#path)).size;
    } catch {
      return 0;
    }
  }
}
