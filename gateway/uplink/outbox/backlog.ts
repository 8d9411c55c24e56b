import type { Logger } from '#lib/log.ts';
import type { Drops } from './limits.ts';
import type { Segment } from './segment.ts';
import { type Line, linesOf, type Sample } from './segment.ts';
import { SeqRanges } from './seq-ranges.ts';

type BacklogDeps = {
  segments(): readonly Segment[];
  /** samples may still be appended to it */
  isGrowing(segment: Segment): boolean;
  drops: Drops;
  log: Logger;
};

type Position = { segment: Segment; isGrowing: boolean; lines: Iterator<Line>; found: SeqRanges };

/** Iterates over the queued samples on disk, oldest first. */
export class Backlog {
  readonly #deps: BacklogDeps;
  #last = Number.NEGATIVE_INFINITY; // ordinal of the file read last
  #position: Position | undefined;
  readonly #unreadable = new WeakSet<Segment>(); // logged already

  constructor(deps: BacklogDeps) {
    this.#deps = deps;
  }

  rewind(): void {
    this.#last = Number.NEGATIVE_INFINITY;
    this.#position = undefined;
  }

  /** Returns the next queued samples that are not in flight; none at the end. */
  async next(maxBatchSize: number, isInFlight: (seq: number) => boolean): Promise<Sample[]> {
    const samples: Sample[] = [];
    if (this.#position && !this.#deps.segments().includes(this.#position.segment)) this.#position = undefined; // thinned or removed
    while (samples.length < maxBatchSize) {
      this.#position ??= await this.#open();
      const position = this.#position;
      if (!position) break;
      const { done, value } = position.lines.next();
      if (done) {
        this.#leave(position);
        continue;
      }
      if (!value.sample) continue;
      const { seq } = value.sample;
      position.found.add(seq);
      if (position.segment.waiting.has(seq) && !isInFlight(seq)) samples.push(value.sample);
    }
    return samples;
  }

  async #open(): Promise<Position | undefined> {
    for (;;) {
      const segment = this.#deps.segments().find(({ ordinal, kind, waiting }) => {
        return ordinal > this.#last && kind !== 'undated' && waiting.count > 0;
      });
      if (!segment) return undefined;
      this.#last = segment.ordinal;
      const isGrowing = this.#deps.isGrowing(segment);
      try {
        const lines = linesOf(await segment.read());
        if (this.#unreadable.delete(segment)) this.#deps.log.info({ path: segment.path }, 'outbox file readable again');
        return { segment, isGrowing, lines, found: new SeqRanges() };
      } catch (error) {
        this.#logUnreadable(segment, error);
      }
    }
  }

  #logUnreadable(segment: Segment, error: unknown): void {
    const isKept = this.#deps.segments().includes(segment); // thinning or an acknowledgement may have removed it
    if (!isKept || this.#unreadable.has(segment)) return;
    this.#unreadable.add(segment);
    this.#deps.log.warn({ err: error, path: segment.path }, 'failed to read a file of the outbox');
  }

  /** Counts the samples that the file should have contained as lost. */
  #leave({ segment, isGrowing, found }: Position): void {
    this.#position = undefined;
    if (isGrowing) return;
    const lost = segment.waiting.retain(found);
    if (lost === 0) return;
    this.#deps.drops.note('damaged', lost);
    this.#deps.log.error({ path: segment.path, lost }, 'samples on disk are damaged');
  }
}
