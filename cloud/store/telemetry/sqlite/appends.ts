import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { minuteMs } from '#contract/time.ts';
import { onlyRow, prepare } from '../../sqlite-statements.ts';
import type { Sample, TelemetryStore } from '../telemetry-store.ts';

type Waiting = { samples: readonly Sample[]; resolve(repeated: readonly number[]): void; reject(error: unknown): void };

/** Sends one batch at a time. Samples that arrive meanwhile are sent together in the next, which costs one disk flush. */
export function createAppendQueue(
  send: (batch: PackedSamples) => Promise<readonly number[]>,
): TelemetryStore['append'] {
  let waiting: Waiting[] = [];
  let isSending = false;

  async function sendAll(): Promise<void> {
    isSending = true;
    while (waiting.length > 0) {
      const together = waiting;
      waiting = [];
      try {
        const repeated = await send(packSamples(together.flatMap(({ samples }) => samples)));
        for (const { resolve } of together) resolve(repeated);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    isSending = false;
  }

  return (samples) =>
    new Promise((resolve, reject) => {
      waiting.push({ samples, resolve, reject });
      if (!isSending) void sendAll();
    });
}

/** Samples packed for another thread: numbers in one array, texts in one string. */
export type PackedSamples = { numbers: Float64Array<ArrayBuffer>; bodies: string };

const numbersPerSample = 4; // der, at, received, length of the body

function packSamples(samples: readonly Sample[]): PackedSamples {
  const numbers = new Float64Array(samples.length * numbersPerSample);
  let bodies = '';
  let n = 0;
  for (const { der, at, received, body } of samples) {
    numbers[n++] = der;
    numbers[n++] = at;
    numbers[n++] = received;
    numbers[n++] = body.length;
    bodies += body;
  }
  return { numbers, bodies };
}

function forEachSample(
  { numbers, bodies }: PackedSamples,
  visit: (der: number, at: number, received: number, body: string) => void,
): void {
  for (let n = 0, begin = 0; n < numbers.length; n += numbersPerSample) {
    const end = begin + numbers[n + 3]!;
    visit(numbers[n]!, numbers[n + 1]!, numbers[n + 2]!, bodies.slice(begin, end));
    begin = end;
  }
}

const rowsPerInsert = 50; // takes half the time of single rows; more do not help
const columns = 5; // of a row of samples

/** Inserts samples not older than `oldest`. Returns the receive times of those stored before, whose body stays unused. */
export function createInsert(database: DatabaseSync): (batch: PackedSamples, oldest: number) => number[] {
  const many = statementsFor(database, rowsPerInsert);
  const one = statementsFor(database, 1);
  const lastSeq = prepare<{ last: number | null }>(database, 'select max(seq) as last from bodies');
  const seqAt = database.prepare('select seq from samples where minute = ? and der = ? and at = ?');
  let seq = 0; // never reused, even after the bodies are deleted

  /** Returns the receive times of the samples that were not inserted because another is stored. */
  function repeatedAmong(samples: readonly number[]): number[] {
    const repeated: number[] = [];
    for (let i = 0; i < samples.length; i += columns) {
      const [minute = 0, der = 0, at = 0, received = 0, own] = samples.slice(i, i + columns);
      if (seqAt.get(minute, der, at)?.seq !== own) repeated.push(received);
    }
    return repeated;
  }

  return (batch, oldest) => {
    seq = Math.max(seq, onlyRow(lastSeq).last ?? 0); // a backup may have been restored
    const samples: number[] = [];
    const bodies: SQLInputValue[] = [];
    const repeated: number[] = [];
    forEachSample(batch, (der, at, received, body) => {
      if (at < oldest) return;
      samples.push(Math.floor(at / minuteMs), der, at, received, ++seq);
      bodies.push(seq, body);
      if (bodies.length < rowsPerInsert * 2) return;
      const { changes } = many.samples.run(...samples);
      if (changes !== rowsPerInsert) repeated.push(...repeatedAmong(samples));
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
