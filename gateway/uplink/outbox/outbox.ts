import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DerReading } from '#contract/gateway/reading.ts';
import type { DropReason } from '#contract/gateway/status.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import { isPlausible, type TrustedTime } from '../trusted-time.ts';
import { Backlog } from './backlog.ts';
import { createDrops, defaultLimits, type OutboxLimits } from './limits.ts';
import { loadSegments, type Sample, type Segment, withSeq } from './segment.ts';
import type { SeqRange } from './seq-ranges.ts';
import { openSequence } from './sequence.ts';
import { Reserve, Upkeep } from './upkeep.ts';
import { Writer } from './writer.ts';

export type OutboxOptions = {
  folder: string;
  time: TrustedTime;
  monotonic: Clock;
  /** the id of this start of the machine, which the monotonic time counts from */
  boot: string;
  limits?: Partial<OutboxLimits> | undefined;
  log: Logger;
};

export type OutboxCounts = {
  /** samples that wait for the platform, those that have no date yet among them */
  waiting: number;
  undated: number;
  /** in memory, because they could not be written */
  unwritten: number;
  bytes: number;
  /** when the oldest was taken, ms */
  oldest: number | undefined;
  dropped: Partial<Record<DropReason, number>>;
  /** samples that became part of a mean */
  thinned: number;
};

export type Outbox = {
  /** Numbers a reading and writes it; `onReady` is told when it is safe. */
  add(source: string, reading: DerReading): void;
  onReady(listener: (samples: readonly Sample[]) => void): void;
  /** The platform has these; tells how many of them waited. */
  acknowledge(ranges: readonly SeqRange[]): number;
  backlog: Pick<Backlog, 'next' | 'rewind'>;
  /** how many could be published now */
  sendable(): number;
  counts(): OutboxCounts;
  close(): Promise<void>;
};

// More than are ever used, so that the time tells where to begin when the folder was lost; in 2100 they reach 4e14.
const numbersPerMs = 100;

/** Samples on disk, from the moment they are taken until the platform says that it has them. */
export async function openOutbox({ folder, time, monotonic, boot, log, ...options }: OutboxOptions): Promise<Outbox> {
  const limits = { ...defaultLimits, ...options.limits };
  const drops = createDrops();
  let listener: (samples: readonly Sample[]) => void = () => {};

  await mkdir(folder, { recursive: true, mode: 0o700 });
  const loaded = await loadSegments(folder, log);
  drops.note('damaged', loaded.damaged);
  let segments = loaded.segments;
  const seen = Math.max(
    0,
    ...segments.map(({ ordinal, waiting }) => Math.max(ordinal, waiting.list().at(-1)?.[1] ?? 0)),
  );
  const least = Math.max(seen + 1, (time.shown() ?? 0) * numbersPerMs);
  const reserve = new Reserve(join(folder, 'reserve'), limits.segmentBytes / 2);
  const sequence = await openSequence(join(folder, 'seq.json'), least, log, () => reserve.free());

  const writer = new Writer({
    folder,
    boot,
    limits,
    monotonic,
    drops,
    log,
    opened: (segment) => segments.push(segment),
    finished: () => removeEmpty(),
    ready: (samples) => listener(samples),
    makeRoom: () => upkeep.makeRoom(),
  });
  const finished = (): Segment[] => segments.filter((segment) => !writer.isCurrent(segment));
  const upkeep = new Upkeep({ folder, limits, time, sequence, reserve, drops, log, finished, replace });
  const backlog = new Backlog({
    segments: () => segments,
    isGrowing: (segment) => writer.isCurrent(segment),
    drops,
    log,
  });

  let removing: Promise<void> = Promise.resolve();

  function remove(segment: Segment): void {
    removing = removing
      .then(() => segment.remove())
      .catch((error: unknown) => log.warn({ err: error, path: segment.path }, 'file not removed'));
  }

  function replace(old: Segment, by: Segment | undefined): void {
    if (by && !segments.includes(old)) remove(by); // meanwhile all of it was acknowledged
    segments = segments.flatMap((segment) => (segment !== old ? [segment] : by ? [by] : []));
  }

  function removeEmpty(): void {
    const empty = finished().filter(({ waiting }) => waiting.count === 0);
    if (empty.length === 0) return;
    segments = segments.filter((segment) => !empty.includes(segment));
    for (const segment of empty) remove(segment);
  }

  function add(source: string, reading: DerReading): void {
    const seq = sequence.take();
    if (seq === undefined) {
      drops.note('no_number', 1);
      return;
    }
    const { timestamp, isDated } = dateOf(reading, time);
    const json = withSeq(JSON.stringify(timestamp === reading.timestamp ? reading : { ...reading, timestamp }), seq);
    writer.add({ seq, source, json, isDated });
  }

  await dropUndatable();
  removeEmpty();
  const timer = every(limits.upkeepMs, () => upkeep.run(), 'upkeep of the outbox', log);

  /** Of an earlier start of the machine: nobody knows when that was. */
  async function dropUndatable(): Promise<void> {
    for (const segment of segments.filter(({ kind, boot: theirs }) => kind === 'undated' && theirs !== boot)) {
      log.warn({ samples: segment.waiting.count }, 'samples without a date were dropped');
      drops.note('undatable', segment.waiting.count);
      await segment.remove();
      replace(segment, undefined);
    }
  }

  const countIf = (isCounted: (segment: Segment) => boolean): number =>
    segments.reduce((total, segment) => total + (isCounted(segment) ? segment.waiting.count : 0), 0);

  return {
    add,
    onReady(given) {
      listener = given;
    },
    acknowledge(ranges) {
      let known = 0;
      for (const [first, last] of ranges) for (const { waiting } of segments) known += waiting.remove(first, last);
      writer.forget(ranges);
      removeEmpty();
      return known;
    },
    backlog,
    sendable: () => countIf(({ kind }) => kind !== 'undated'),
    counts() {
      const dated = segments.filter(({ kind, waiting }) => kind !== 'undated' && waiting.count > 0);
      return {
        waiting: countIf(() => true) + writer.unwrittenCount,
        undated: countIf(({ kind }) => kind === 'undated'),
        unwritten: writer.unwrittenCount,
        bytes: segments.reduce((total, { bytes }) => total + bytes, 0),
        oldest: dated.length > 0 ? Math.min(...dated.map(({ from }) => from)) : undefined,
        dropped: drops.counts(),
        thinned: upkeep.thinned,
      };
    },
    async close() {
      clearInterval(timer);
      await upkeep.settle();
      await writer.close();
      await removing;
      await sequence.settle();
    },
  };
}

/** A reading that the clock dated wrongly, or may have, has its time since the machine started until the time is known. */
function dateOf({ timestamp, read_time_ms }: DerReading, time: TrustedTime): { timestamp: number; isDated: boolean } {
  const now = time.now();
  const isDoubted = now === undefined && time.shown() !== undefined;
  if (isPlausible(timestamp) && !isDoubted) return { timestamp, isDated: true };
  if (now !== undefined) return { timestamp: now - read_time_ms, isDated: true };
  return { timestamp: time.sinceStart(timestamp), isDated: false };
}
