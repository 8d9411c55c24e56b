import type { OutboxContext } from './limits.ts';
import { type Line, linesOf, type Sample, type Segment } from './segment.ts';
import { SeqRanges } from './seq-ranges.ts';

type BacklogDeps = Pick<OutboxContext, 'drops' | 'log'> & {
  segments(): readonly Segment[];
  /** samples may still be appended to it */
  isGrowing(segment: Segment): boolean;
};

type Position = { segment: Segment; isGrowing: boolean; lines: Iterator<Line>; found: SeqRanges };

/** Iterates over the queued samples on disk, oldest first. */
export function createBacklog({ segments, isGrowing, drops, log }: BacklogDeps) {
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
