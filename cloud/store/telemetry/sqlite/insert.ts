import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { minuteMs } from '../windows.ts';
import { type Batch, eachSample } from './batch.ts';

const together = 50; // rows a statement: half the time of one each, and no better with more

/** Inserts a batch but what was measured before an instant; of a sample that is there already only an unused body stays. */
export function createInsert(database: DatabaseSync): (batch: Batch, oldest: number) => void {
  const many = statementsFor(database, together);
  const one = statementsFor(database, 1);
  const lastSeq = database.prepare('select max(seq) as last from bodies');
  let seq = 0; // never given twice, also when the bodies that had them are gone

  return (batch, oldest) => {
    const { last } = lastSeq.get() as { last: number | null };
    seq = Math.max(seq, last ?? 0); // a backup may have taken the place of what was there
    const samples: SQLInputValue[] = [];
    const bodies: SQLInputValue[] = [];
    eachSample(batch, (der, at, received, body) => {
      if (at < oldest) return;
      samples.push(Math.floor(at / minuteMs), der, at, received, ++seq);
      bodies.push(seq, body);
      if (bodies.length < together * 2) return;
      many.samples.run(...samples);
      many.bodies.run(...bodies);
      samples.length = bodies.length = 0;
    });
    for (let i = 0; i * 2 < bodies.length; i++) {
      one.samples.run(...samples.slice(i * 5, i * 5 + 5));
      one.bodies.run(...bodies.slice(i * 2, i * 2 + 2));
    }
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
