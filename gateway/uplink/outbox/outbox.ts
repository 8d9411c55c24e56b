import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DerReading } from '#contract/gateway/reading.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import { isPlausible, type TrustedTime } from '../trusted-time.ts';
import { createDrops, defaultLimits, type OutboxContext, type OutboxLimits } from './limits.ts';
import { type Line, linesOf, loadSegments, type Sample, type Segment, withSeq } from './segment.ts';
import { type SeqRange, SeqRanges } from './seq-ranges.ts';
import { openSequence } from './sequence.ts';
import { createReserve, createUpkeep } from './upkeep.ts';
import { createWriter } from './writer.ts';

export type OutboxOptions = {
  folder: string;
  time: TrustedTime;
  monotonic: Clock;
  /** id of this boot, which the monotonic time counts from */
  boot: string;
  limits?: Partial<OutboxLimits> | undefined;
  log: Logger;
};

export type Outbox = Awaited<ReturnType<typeof openOutbox>>;
export type OutboxCounts = ReturnType<Outbox['counts']>;

// More than are ever used, so that the time of day gives an unused first number when the folder is lost; 4e14 in 2100.
const numbersPerMs = 100;

/** Opens the outbox, which keeps samples on disk until the platform has acknowledged them. */
export async function openOutbox({ folder, time, monotonic, boot, log, ...options }: OutboxOptions) {
  const limits = { ...defaultLimits, ...options.limits };
  const drops = createDrops();
  const context: OutboxContext = { folder, limits, monotonic, drops, log };
  let listener: (samples: readonly Sample[]) => void = () => {};

  await mkdir(folder, { recursive: true, mode: 0o700 });
  const loaded = await loadSegments(folder, log);
  drops.note('damaged', loaded.damaged);
  let segments = loaded.segments;
  const seen = Math.max(
    0,
    ...segments.map(({ ordinal, waiting }) => Math.max(ordinal, waiting.list().at(-1)?.[1] ?? 0)),
  );
  const min = Math.max(seen + 1, (time.shown() ?? 0) * numbersPerMs);
  const reserve = createReserve(join(folder, 'reserve'), limits.segmentBytes / 2);
  const sequence = await openSequence(join(folder, 'seq.json'), min, log, () => reserve.free());

  const writer = createWriter({
    ...context,
    boot,
    opened: (segment) => segments.push(segment),
    finished: () => removeEmpty(),
    ready: (samples) => listener(samples),
    makeRoom: () => upkeep.makeRoom(),
  });
  const finished = (): Segment[] => segments.filter((segment) => !writer.isCurrent(segment));
  const upkeep = createUpkeep({ ...context, time, sequence, reserve, finished, replace });
  const backlog = createBacklog({ ...context, segments: () => segments, isGrowing: writer.isCurrent });
  let removing = Promise.resolve();

  function remove(segment: Segment): void {
    removing = removing
      .then(() => segment.remove())
      .catch((error: unknown) => log.warn({ err: error, path: segment.path }, 'failed to remove a file of the outbox'));
  }

  function replace(old: Segment, by: Segment | undefined): void {
    if (by && !segments.includes(old)) remove(by); // all of it was acknowledged in the meantime
    segments = segments.flatMap((segment) => (segment !== old ? [segment] : by ? [by] : []));
  }

  function removeEmpty(): void {
    const empty = finished().filter(({ waiting }) => waiting.count === 0);
    if (empty.length === 0) return;
    segments = segments.filter((segment) => !empty.includes(segment));
    for (const segment of empty) remove(segment);
  }

  /** Numbers a reading and writes it; calls the `onReady` listener when it is on disk. */
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
  const timer = every(limits.upkeepMs, upkeep.run, 'upkeep of the outbox', log);

  /** Drops undated samples of an earlier boot, whose time cannot be determined. */
  async function dropUndatable(): Promise<void> {
    for (const segment of segments.filter((each) => each.kind === 'undated' && each.boot !== boot)) {
      log.warn({ samples: segment.waiting.count }, 'undated samples of an earlier boot dropped');
      drops.note('undatable', segment.waiting.count);
      await segment.remove();
      replace(segment, undefined);
    }
  }

  const countIf = (isCounted: (segment: Segment) => boolean): number =>
    segments.reduce((total, segment) => total + (isCounted(segment) ? segment.waiting.count : 0), 0);

  return {
    add,
    onReady(given: (samples: readonly Sample[]) => void): void {
      listener = given;
    },
    /** Removes acknowledged samples; returns how many were queued. */
    acknowledge(ranges: readonly SeqRange[]): number {
      let known = 0;
      for (const [first, last] of ranges) for (const { waiting } of segments) known += waiting.remove(first, last);
      writer.forget(ranges);
      removeEmpty();
      return known;
    },
    backlog,
    /** Returns how many samples could be published now. */
    sendable: () => countIf(({ kind }) => kind !== 'undated'),
    counts() {
      const dated = segments.filter(({ kind, waiting }) => kind !== 'undated' && waiting.count > 0);
      return {
        /** samples that are not acknowledged, undated ones included */
        waiting: countIf(() => true) + writer.unwrittenCount(),
        undated: countIf(({ kind }) => kind === 'undated'),
        /** in memory because writing failed */
        unwritten: writer.unwrittenCount(),
        bytes: segments.reduce((total, { bytes }) => total + bytes, 0),
        /** timestamp of the oldest sample, ms */
        oldest: dated.length > 0 ? Math.min(...dated.map(({ from }) => from)) : undefined,
        dropped: drops.counts(),
        /** samples that were replaced by minute means */
        thinned: upkeep.thinned(),
      };
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await upkeep.settle();
      await writer.close();
      await removing;
      await sequence.settle();
    },
  };
}

/** Returns the timestamp of a reading, in monotonic time while the time of day is implausible or unconfirmed. */
function dateOf({ timestamp, read_time_ms }: DerReading, time: TrustedTime): { timestamp: number; isDated: boolean } {
  const now = time.now();
  const isDoubted = now === undefined && time.shown() !== undefined;
  if (isPlausible(timestamp) && !isDoubted) return { timestamp, isDated: true };
  if (now !== undefined) return { timestamp: now - read_time_ms, isDated: true };
  return { timestamp: time.sinceStart(timestamp), isDated: false };
}

type BacklogDeps = Pick<OutboxContext, 'drops' | 'log'> & {
  segments(): readonly Segment[];
  /** samples may still be appended to it */
  isGrowing(segment: Segment): boolean;
};

type Position = { segment: Segment; isGrowing: boolean; lines: Iterator<Line>; found: SeqRanges };

/** Iterates over the queued samples on disk, oldest first. */
function createBacklog({ segments, isGrowing, drops, log }: BacklogDeps) {
  let last = Number.NEGATIVE_INFINITY; // ordinal of the file read last
  let position: Position | undefined;
  const unreadable = new WeakSet<Segment>(); // logged already

  async function open(): Promise<Position | undefined> {
    for (;;) {
      const segment = segments().find(({ ordinal, kind, waiting }) => {
        return ordinal > last && kind !== 'undated' && waiting.count > 0;
      });
      if (!segment) return undefined;
      const { path } = segment;
      last = segment.ordinal;
      const wasGrowing = isGrowing(segment);
      try {
        const lines = linesOf(await segment.read());
        if (unreadable.delete(segment)) log.info({ path }, 'outbox file readable again');
        return { segment, isGrowing: wasGrowing, lines, found: new SeqRanges() };
      } catch (error) {
        // Thinning or an acknowledgement may have removed it.
        if (!segments().includes(segment) || unreadable.has(segment)) continue;
        unreadable.add(segment);
        log.warn({ err: error, path }, 'failed to read a file of the outbox');
      }
    }
  }

  /** Counts the samples that the file should have contained as lost. */
  function leave({ segment, isGrowing, found }: Position): void {
    position = undefined;
    if (isGrowing) return;
    const lost = segment.waiting.retain(found);
    if (lost === 0) return;
    drops.note('damaged', lost);
    log.error({ path: segment.path, lost }, 'samples on disk are damaged');
  }

  return {
    rewind(): void {
      last = Number.NEGATIVE_INFINITY;
      position = undefined;
    },

    /** Returns the next queued samples that are not in flight; none at the end. */
    async next(maxBatchSize: number, isInFlight: (seq: number) => boolean): Promise<Sample[]> {
      const samples: Sample[] = [];
      if (position && !segments().includes(position.segment)) position = undefined; // thinned or removed
      while (samples.length < maxBatchSize) {
        position ??= await open();
        if (!position) break;
        const { done, value } = position.lines.next();
        if (done) {
          leave(position);
          continue;
        }
        if (!value.sample) continue;
        const { seq } = value.sample;
        position.found.add(seq);
        if (position.segment.waiting.has(seq) && !isInFlight(seq)) samples.push(value.sample);
      }
      return samples;
    },
  };
}
