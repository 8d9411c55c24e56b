import type { DatabaseSync } from 'node:sqlite';
import { columnBytes } from '../columns/column-bytes.ts';
import { hotRowsAtOnce } from '../limits.ts';
import { cutReadings, mergeReadings, parseReadings, type Readings, withinCells } from '../readings.ts';
import { hotRange, hotSlots } from './tables.ts';

/** Which reading it is, without what it says. */
type Row = [at: number, received: number, seq: number];

/** `seqs` say which readings these are. */
type Kept = { seqs: Float64Array; readings: Readings };

const mostBytes = 16 * 1024 * 1024;

/**
 * Hot readings as they were parsed, for whoever asks again: only what came since is read and parsed. A row never
 * changes, and whether those that are kept are still the ones that are there is looked up each time.
 */
export class HotReadings {
  readonly #kept = new Map<string, Kept>();
  readonly #rows;
  readonly #body;
  #bytes = 0;

  constructor(database: DatabaseSync) {
    this.#rows = database.prepare(
      `${hotSlots}
       select at, received, seq from slots
         cross join samples on samples.minute = slots.minute and der = :der and at >= :since and at < :until`,
    );
    this.#rows.setReturnArrays(true);
    this.#body = database.prepare('select body from bodies where seq = ?');
  }

  /** From an instant to before another, in order. Only these fields, when given. */
  of(der: number, from: number, to: number, fields?: readonly string[]): Readings {
    const rows = this.#rows.all(hotRange(der, from, to)) as unknown as Row[];
    const key = `${der} ${fields ? JSON.stringify(fields) : 'all'}`;
    const kept = this.#kept.get(key);
    const known = kept ? sharedRows(kept.seqs, rows) : 0;
    const only = fields && new Set(fields);
    let parts: readonly Readings[] =
      known > 0 ? [cutReadings(kept!.readings, rows[0]![0], rows[known - 1]![0] + 1)] : [];
    for (let first = known; first < rows.length; first += hotRowsAtOnce) {
      const some = rows.slice(first, first + hotRowsAtOnce);
      const fresh = parseReadings(
        some.map(([at, , seq]) => ({ at, body: this.#bodyOf(seq) })),
        only,
      );
      parts = withinCells([...parts, fresh]);
    }
    const readings = mergeReadings(parts);
    if (known < rows.length || !kept) this.#keep(key, { seqs: Float64Array.from(rows, ([, , seq]) => seq), readings });
    return readings;
  }

  /** A row that was sealed meanwhile has none, and is in a chunk that is read after this. */
  #bodyOf(seq: number): string {
    return (this.#body.get(seq) as { body: string } | undefined)?.body ?? '{}';
  }

  #keep(key: string, kept: Kept): void {
    const before = this.#kept.get(key);
    if (before) this.#drop(key, before);
    this.#kept.set(key, kept);
    this.#bytes += bytesOf(kept);
    for (const [oldest, entry] of this.#kept) {
      if (this.#bytes <= mostBytes) break;
      this.#drop(oldest, entry);
    }
  }

  #drop(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#bytes -= bytesOf(kept);
  }
}

/** How many of the first rows are kept, one after the other. */
function sharedRows(kept: Float64Array, rows: readonly Row[]): number {
  const start = rows.length > 0 ? kept.indexOf(rows[0]![2]) : -1;
  if (start < 0) return 0;
  let shared = 0;
  while (shared < rows.length && kept[start + shared] === rows[shared]![2]) shared++;
  return shared;
}

const bytesOf = ({ seqs, readings }: Kept): number => (2 + readings.fields.size) * columnBytes(seqs.length);
