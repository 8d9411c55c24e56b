import type { FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '#lib/error-code.ts';
import type { OutboxContext } from './limits.ts';
import { createSegment, encodeFooter, encodeSample, type Sample, type Segment, segmentName } from './segment.ts';
import type { SeqRange } from './seq-ranges.ts';

/** `isReady` is set once the sample was passed on for publishing. */
type NewSample = Sample & { isDated: boolean; isReady?: boolean };

type WriterDeps = OutboxContext & {
  boot: string;
  opened(segment: Segment): void;
  finished(): void;
  /** samples may be published: they are on disk, or writing fails */
  ready(samples: readonly NewSample[]): void;
  makeRoom(): Promise<boolean>;
};

const retryMs = 1000;
const turnoverBytes = 64 * 1024;
const turnoverMs = 60_000;

type Current = { segment: Segment; file: FileHandle; openedAt: number; added: number };

/** Appends samples to the newest file. Samples added during a write form the next one. */
export function createWriter(deps: WriterDeps) {
  const { folder, boot, limits, monotonic, drops, log } = deps;
  const closing = new AbortController();
  let unwritten: NewSample[] = [];
  let committing = 0;
  let current: Current | undefined;
  let running: Promise<void> | undefined;
  let isFailing = false;
  let isDiskFull = false;
  let waitsToRetry = false;

  async function run(): Promise<void> {
    while (unwritten.length > 0) {
      const pauseMs = waitsToRetry ? retryMs : limits.commitMs;
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => {}); // closing ends it early
      const batch = nextBatch();
      if (batch.length === 0) continue; // acknowledged during the pause
      committing = batch.length;
      try {
        await commit(batch);
        committing = 0;
        if (isFailing) log.info('samples written to disk again');
        isFailing = isDiskFull = waitsToRetry = false;
      } catch (error) {
        unwritten = [...batch, ...unwritten];
        committing = 0;
        await fail(error);
        if (closing.signal.aborted) break;
      }
      handOn(batch);
    }
    running = undefined;
  }

  /** Returns the next samples that are all dated or all undated, which go to separate files. */
  function nextBatch(): NewSample[] {
    const end = unwritten.findIndex((sample) => sample.isDated !== unwritten[0]?.isDated);
    return unwritten.splice(0, end < 0 ? unwritten.length : end);
  }

  async function commit(batch: readonly NewSample[]): Promise<void> {
    const [first] = batch;
    if (!first) return;
    if (current && (current.segment.kind === 'undated') === first.isDated) await finish();
    const writing = current ?? (await open(first));
    const { segment, file } = writing;
    const bytes = Buffer.from(batch.map(encodeSample).join(''));
    await file.appendFile(bytes);
    await file.datasync();
    segment.note(batch, bytes.length);
    writing.added += batch.length;
    if (isDone(writing)) await finish();
  }

  async function open({ seq, isDated }: NewSample): Promise<Current> {
    const name = isDated ? segmentName(seq, 'full') : segmentName(seq, 'undated', boot);
    const { segment, file } = await createSegment(folder, name);
    current = { segment, file, openedAt: monotonic.now(), added: 0 }; // before others can take it for a finished file
    deps.opened(segment);
    return current;
  }

  /** True at the size or age limit, or when most samples are acknowledged: after a crash all of the file is sent again. */
  function isDone({ segment, openedAt, added }: Current): boolean {
    const ageMs = monotonic.now() - openedAt;
    if (segment.bytes >= limits.segmentBytes || ageMs >= limits.segmentMs) return true;
    return segment.bytes >= turnoverBytes && ageMs >= turnoverMs && segment.waiting.count * 2 < added;
  }

  async function finish(): Promise<void> {
    if (!current) return;
    const done = current;
    current = undefined;
    await addFooter(done);
    await done.file.close();
    deps.finished();
  }

  /** Appends the footer; without one the next start reads the whole file. */
  async function addFooter({ segment, file }: Current): Promise<void> {
    const bytes = Buffer.from(encodeFooter(segment.footer()));
    try {
      await file.appendFile(bytes);
      await file.datasync();
      segment.bytes += bytes.length;
    } catch (error) {
      log.debug({ err: error }, 'failed to write the footer of an outbox file');
    }
  }

  /** Starts a new file after a failed write or sync, because the end of the current one is undefined. */
  async function fail(error: unknown): Promise<void> {
    if (!isFailing) log.error({ err: error }, 'failed to write samples to disk');
    isFailing = true;
    if (current) {
      const { segment, file } = current;
      current = undefined;
      const failed = (what: string) => (cause: unknown) =>
        log.debug({ err: cause }, `failed to ${what} a file of the outbox`);
      await file.truncate(segment.bytes).catch(failed('truncate'));
      await file.close().catch(failed('close'));
      deps.finished();
    }
    isDiskFull = isDiskFullError(error);
    waitsToRetry = !isDiskFull || !(await deps.makeRoom());
    dropExcess();
  }

  function handOn(batch: readonly NewSample[]): void {
    const fresh = batch.filter(({ isReady, isDated }) => isDated && !isReady);
    for (const sample of fresh) sample.isReady = true;
    if (fresh.length > 0) deps.ready(fresh);
  }

  function dropExcess(): void {
    const excess = unwritten.length - limits.maxUnwritten;
    if (excess <= 0) return;
    unwritten.splice(0, excess);
    drops.note(isDiskFull ? 'disk_full' : 'unwritten', excess);
  }

  return {
    add(sample: NewSample): void {
      unwritten.push(sample);
      dropExcess();
      running ??= run();
    },
    /** Drops unwritten samples that the platform has acknowledged. */
    forget(ranges: readonly SeqRange[]): void {
      if (!isFailing) return;
      unwritten = unwritten.filter(({ seq }) => !ranges.some(([first, last]) => seq >= first && seq <= last));
    },
    unwrittenCount: () => unwritten.length + committing,
    isCurrent: (segment: Segment) => current?.segment === segment,
    /** Makes one attempt to write the remaining samples. */
    async close(): Promise<void> {
      closing.abort();
      await running;
      await finish();
    },
  };
}

const isDiskFullError = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].some((code) => code === errorCode(error));
