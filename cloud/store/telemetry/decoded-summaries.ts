import { columnBytes } from './columns/column-bytes.ts';
import type { FieldSummaries, Summaries } from './summaries.ts';

type Decoded = { body: Uint8Array; summaries: Summaries; bytes: number };

/** Summaries as they were decoded, for whoever asks again; those that were asked for longest ago make room. */
export class DecodedSummaries {
  readonly #decoded = new Map<string, Decoded>();
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes = 16 * 1024 * 1024) {
    this.#mostBytes = mostBytes;
  }

  /** Decodes unless it is known what became of the very same bytes: a chunk may have been written anew. */
  of(key: string, body: Uint8Array, decode: () => Summaries): Summaries {
    const known = this.#decoded.get(key);
    if (known) this.#drop(key, known);
    const isSame = known !== undefined && Buffer.compare(known.body, body) === 0;
    const kept = isSame ? known : keep(body, decode());
    if (kept.bytes > this.#mostBytes) return kept.summaries;
    this.#decoded.set(key, kept);
    this.#bytes += kept.bytes;
    for (const [oldest, entry] of this.#decoded) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#drop(oldest, entry);
    }
    return kept.summaries;
  }

  #drop(key: string, { bytes }: Decoded): void {
    this.#decoded.delete(key);
    this.#bytes -= bytes;
  }
}

function keep(body: Uint8Array, summaries: Summaries): Decoded {
  const columns = Array.from(summaries.fields.values(), columnsOf).reduce((sum, count) => sum + count, 1);
  return { body, summaries, bytes: body.length + columns * columnBytes(summaries.start.length) };
}

const columnsOf = ({ spread }: FieldSummaries): number => (spread ? Object.keys(spread).length : 1);
