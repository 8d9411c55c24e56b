import type { FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#lib/clock.ts';
import { errorCode } from '#lib/error-code.ts';
import type { Logger } from '#lib/log.ts';
import type { Drops, OutboxLimits } from './limits.ts';
import { createSegment, encodeFooter, encodeSample, type Sample, type Segment, segmentName } from './segment.ts';
import type { SeqRange } from './seq-ranges.ts';

/** `isReady` is set once the sample was passed on for publishing. */
export type NewSample = Sample & { isDated: boolean; isReady?: boolean };

export type WriterDeps = {
  folder: string;
  boot: string;
  limits: OutboxLimits;
  monotonic: Clock;
  drops: Drops;
  log: Logger;
  opened(segment: Segment): void;
  /** the file is complete */
  finished(segment: Segment): void;
  /** samples may be published: they are on disk, or writing fails */
  ready(samples: readonly NewSample[]): void;
  /** frees space on a full disk; returns whether it succeeded */
  makeRoom(): Promise<boolean>;
};

const retryMs = 1000;
const turnoverBytes = 64 * 1024;
const turnoverMs = 60_000;

type Current = { segment: Segment; file: FileHandle; openedAt: number; added: number };

/** Appends samples to the newest file. Samples added during a write form the next one. */
export class Writer {
  readonly #deps: WriterDeps;
  #unwritten: NewSample[] = [];
  #committing = 0;
  #current: Current | undefined;
  #running: Promise<void> | undefined;
  #isFailing = false;
  #isDiskFull = false;
  #waitsToRetry = false;
  readonly #closing = new AbortController();

  constructor(deps: WriterDeps) {
    this.#deps = deps;
  }

  add(sample: NewSample): void {
    this.#unwritten.push(sample);
    this.#dropExcess();
    this.#running ??= this.#run();
  }

  /** Drops unwritten samples that the platform has acknowledged. */
  forget(ranges: readonly SeqRange[]): void {
    if (!this.#isFailing) return;
    this.#unwritten = this.#unwritten.filter(({ seq }) => !ranges.some(([first, last]) => seq >= first && seq <= last));
  }

  get unwrittenCount(): number {
    return this.#unwritten.length + this.#committing;
  }

  isCurrent(segment: Segment): boolean {
    return this.#current?.segment === segment;
  }

  /** Makes one attempt to write the remaining samples. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    await this.#finish();
  }

  async #finish(): Promise<void> {
    const current = this.#current;
    if (!current) return;
    this.#current = undefined;
    await this.#addFooter(current);
    await current.file.close();
    this.#deps.finished(current.segment);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#unwritten.length > 0) {
      await this.#pause();
      const batch = this.#nextBatch();
      if (batch.length === 0) continue; // acknowledged during the pause
      this.#committing = batch.length;
      try {
        await this.#commit(batch);
        this.#committing = 0;
        if (this.#isFailing) this.#deps.log.info('samples written to disk again');
        this.#isFailing = false;
        this.#isDiskFull = false;
        this.#waitsToRetry = false;
      } catch (error) {
        this.#unwritten = [...batch, ...this.#unwritten];
        this.#committing = 0;
        await this.#fail(error);
        if (signal.aborted) break;
      }
      this.#handOn(batch);
    }
    this.#running = undefined;
  }

  /** Waits before the next write; closing ends it early. */
  async #pause(): Promise<void> {
    const { signal } = this.#closing;
    try {
      await sleep(this.#waitsToRetry ? retryMs : this.#deps.limits.commitMs, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Returns the next samples that are all dated or all undated, which go to separate files. */
  #nextBatch(): NewSample[] {
    const end = this.#unwritten.findIndex((sample) => sample.isDated !== this.#unwritten[0]?.isDated);
    return this.#unwritten.splice(0, end < 0 ? this.#unwritten.length : end);
  }

  async #commit(batch: readonly NewSample[]): Promise<void> {
    const [first] = batch;
    if (!first) return;
    if (this.#current && (this.#current.segment.kind === 'undated') === first.isDated) await this.#finish();
    const current = this.#current ?? (await this.#open(first));
    const bytes = Buffer.from(batch.map(encodeSample).join(''));
    await current.file.appendFile(bytes);
    await current.file.datasync();
    current.segment.note(batch, bytes.length);
    current.added += batch.length;
    if (this.#isDone(current)) await this.#finish();
  }

  async #open({ seq, isDated }: NewSample): Promise<Current> {
    const { folder, boot, monotonic, opened } = this.#deps;
    const name = isDated ? segmentName(seq, 'full') : segmentName(seq, 'undated', boot);
    const { segment, file } = await createSegment(folder, name);
    this.#current = { segment, file, openedAt: monotonic.now(), added: 0 };
    opened(segment);
    return this.#current;
  }

  /** True at the size or age limit, or when most samples are acknowledged: after a crash all of the file is sent again. */
  #isDone({ segment, openedAt, added }: Current): boolean {
    const { segmentBytes, segmentMs } = this.#deps.limits;
    const ageMs = this.#deps.monotonic.now() - openedAt;
    if (segment.bytes >= segmentBytes || ageMs >= segmentMs) return true;
    return segment.bytes >= turnoverBytes && ageMs >= turnoverMs && segment.waiting.count * 2 < added;
  }

  /** Starts a new file after a failed write or sync, because the end of the current one is undefined. */
  async #fail(error: unknown): Promise<void> {
    const { log, finished, makeRoom } = this.#deps;
    if (!this.#isFailing) log.error({ err: error }, 'failed to write samples to disk');
    this.#isFailing = true;
    const current = this.#current;
    this.#current = undefined;
    if (current) {
      await current.file
        .truncate(current.segment.bytes)
        .catch((cause) => log.debug({ err: cause }, 'failed to truncate a file of the outbox'));
      await current.file.close().catch((cause) => log.debug({ err: cause }, 'failed to close a file of the outbox'));
      finished(current.segment);
    }
    this.#isDiskFull = isDiskFullError(error);
    this.#waitsToRetry = !this.#isDiskFull || !(await makeRoom());
    this.#dropExcess();
  }

  /** Appends the footer; without one the next start reads the whole file. */
  async #addFooter({ segment, file }: Current): Promise<void> {
    const bytes = Buffer.from(encodeFooter(segment.footer()));
    try {
      await file.appendFile(bytes);
      await file.datasync();
      segment.bytes += bytes.length;
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'failed to write the footer of an outbox file');
    }
  }

  #handOn(batch: readonly NewSample[]): void {
    const fresh = batch.filter(({ isReady, isDated }) => isDated && !isReady);
    for (const sample of fresh) sample.isReady = true;
    if (fresh.length > 0) this.#deps.ready(fresh);
  }

  #dropExcess(): void {
    const excess = this.#unwritten.length - this.#deps.limits.maxUnwritten;
    if (excess <= 0) return;
    this.#unwritten.splice(0, excess);
    this.#deps.drops.note(this.#isDiskFull ? 'disk_full' : 'unwritten', excess);
  }
}

const isDiskFullError = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].some((code) => code === errorCode(error));
