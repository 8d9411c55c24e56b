import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { minuteMs } from '#contract/time.ts';
import { type Batch, eachSample } from './batch.ts';

const together = 50; // rows a statement: half the time of one each, and no better with more
const columns = 5; // of a row of samples

/**
 * Inserts a batch but what was measured before an instant; of a sample that is there already only an unused body stays, and
 * it is told when it arrived.
 */
export function createInsert(database: DatabaseSync): (batch: Batch, oldest: number) => number[] {
  const many = statementsFor(database, together);
  const one = statementsFor(database, 1);
  const lastSeq = database.prepare('select max(seq) as last from bodies');
  const seqAt = database.prepare('select seq from samples where minute = ? and der = ? and at = ?');
  let seq = 0; // never given twice, also when the bodies that had them are gone

  /** Of rows that were not all inserted: when those arrived in whose place another is. */
  function repeatedAmong(samples: readonly number[]): number[] {
    const repeated: number[] = [];
    for (let i = 0; i < samples.length; i += columns) {
      const [minute, der, at, received, own] = samples.slice(i, i + columns) as [
        number,
        number,
        number,
        number,
        number,
      ];
      if (seqAt.get(minute, der, at)?.seq !== own) repeated.push(received);
    }
    return repeated;
  }

  return (batch, oldest) => {
    const { last } = lastSeq.get() as { last: number | null };
    seq = Math.max(seq, last ?? 0); // a backup may have taken the place of what was there
    const samples: number[] = [];
    const bodies: SQLInputValue[] = [];
    const repeated: number[] = [];
    eachSample(batch, (der, at, received, body) => {
      if (at < oldest) return;
      samples.push(Math.floor(at / minuteMs), der, at, received, ++seq);
      bodies.push(seq, body);
      if (bodies.length < together * 2) return;
      const { changes } = many.samples.run(...samples);
      if (changes !== together) repeated.push(...repeatedAmong(samples));
      many.bodies.run(...bodies);
      samples.length = bodies.length = 0;
    });
    for (let i = 0; i * 2 < bodies.length; i++) {
      const sample = samples.slice(i * columns, (i + 1) * columns);
      const { changes } = one.samples.run(...sample);
      if (changes !== 1) repeated.push(...repeatedAmong(sample));
      one.bodies.run(...bodies.slice(i * 2, i * 2 + 2));
    }
    return repeated;
  };
}

function statementsFor(database: DatabaseSync, rows: number) {
  const rowsOf = (row: string): string => Array.from({ length: rows }, () => row).join();
  return {
    samples: database.prepare(
      `insert or ignore into samples (minute, der, at, received, seq) values ${rowsOf('(?, ?, ?, ?, ?)')}`,
    ),
    bodies: database.prepare(`insert into bodies (seq, body) values ${rowsOf('(?, ?)')}`),
  };
}
