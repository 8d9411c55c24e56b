import type { FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { Drops, OutboxLimits } from './limits.ts';
import { createSegment, encodeFooter, encodeSample, type Sample, type Segment, segmentName } from './segment.ts';
import type { SeqRange } from './seq-ranges.ts';

/** `isReady` once it was handed on to be published. */
export type NewSample = Sample & { isDated: boolean; isReady?: boolean };

export type WriterDeps = {
  folder: string;
  boot: string;
  limits: OutboxLimits;
  monotonic: Clock;
  drops: Drops;
  log: Logger;
  opened(segment: Segment): void;
  /** nothing more is appended to it */
  finished(segment: Segment): void;
  /** they are on disk, or cannot be put there now: they may be published */
  ready(samples: readonly NewSample[]): void;
  /** the disk is full; whether there is some room now */
  makeRoom(): Promise<boolean>;
};

const retryMs = 1000;
const turnoverBytes = 64 * 1024;
const turnoverMs = 60_000;

type Current = { segment: Segment; file: FileHandle; openedAt: number; added: number };

/** Appends samples to the newest file. What comes while one write is made safe is the next write. */
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

  /** Samples that could not be written and are safe elsewhere now. */
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

  /** Writes what is left, once. */
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
      this.#committing = batch.length;
      try {
        await this.#commit(batch);
        this.#committing = 0;
        if (this.#isFailing) this.#deps.log.info('samples are written to disk again');
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

  /** Closing ends it early. */
  async #pause(): Promise<void> {
    const { signal } = this.#closing;
    try {
      await sleep(this.#waitsToRetry ? retryMs : this.#deps.limits.commitMs, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Dated ones and others are not in one file. */
  #nextBatch(): NewSample[] {
    const { isDated } = this.#unwritten[0]!;
    const end = this.#unwritten.findIndex((sample) => sample.isDated !== isDated);
    return this.#unwritten.splice(0, end < 0 ? this.#unwritten.length : end);
  }

  async #commit(batch: readonly NewSample[]): Promise<void> {
    const { isDated } = batch[0]!;
    if (this.#current && (this.#current.segment.kind === 'undated') === isDated) await this.#finish();
    const current = this.#current ?? (await this.#open(batch[0]!));
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

  /** A file most of which was acknowledged is left early: after a kill all of it would be sent once more. */
  #isDone({ segment, openedAt, added }: Current): boolean {
    const { segmentBytes, segmentMs } = this.#deps.limits;
    const ageMs = this.#deps.monotonic.now() - openedAt;
    if (segment.bytes >= segmentBytes || ageMs >= segmentMs) return true;
    return segment.bytes >= turnoverBytes && ageMs >= turnoverMs && segment.waiting.count * 2 < added;
  }

  /** After a failed write or sync nobody knows what the file holds beyond its safe part, so another one is begun. */
  async #fail(error: unknown): Promise<void> {
    const { log, finished, makeRoom } = this.#deps;
    if (!this.#isFailing) log.error({ err: error }, 'samples could not be written to disk');
    this.#isFailing = true;
    const current = this.#current;
    this.#current = undefined;
    if (current) {
      await current.file.truncate(current.segment.bytes).catch((cause) => log.debug({ err: cause }, 'not cut'));
      await current.file.close().catch((cause) => log.debug({ err: cause }, 'not closed'));
      finished(current.segment);
    }
    this.#isDiskFull = saysDiskFull(error);
    this.#waitsToRetry = !this.#isDiskFull || !(await makeRoom());
    this.#dropExcess();
  }

  /** Without it the whole file is read at the next start. */
  async #addFooter({ segment, file }: Current): Promise<void> {
    const bytes = Buffer.from(encodeFooter(segment.footer()));
    try {
      await file.appendFile(bytes);
      await file.datasync();
      segment.bytes += bytes.length;
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'a file of samples has no footer');
    }
  }

  #handOn(batch: readonly NewSample[]): void {
    const fresh = batch.filter(({ isReady, isDated }) => isDated && !isReady);
    for (const sample of fresh) sample.isReady = true;
    if (fresh.length > 0) this.#deps.ready(fresh);
  }

  #dropExcess(): void {
    const excess = this.#unwritten.length - this.#deps.limits.mostUnwritten;
    if (excess <= 0) return;
    this.#unwritten.splice(0, excess);
    this.#deps.drops.note(this.#isDiskFull ? 'disk_full' : 'unwritten', excess);
  }
}

const saysDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '');
