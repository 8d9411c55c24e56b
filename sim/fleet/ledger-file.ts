import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Ledger, Sample } from './ledger.ts';

export type LedgerFile = { ledger: Ledger; close(): Promise<void> };

/** Writes what a ledger is told to a file as well, a line of JSON each: what was meant before it is sent. */
export function keepLedger(ledger: Ledger, path: string): LedgerFile {
  const file = createWriteStream(path);
  const ended = finished(file);
  ended.catch(() => {}); // told by close
  const write = (said: 'intended' | 'acknowledged', { der, at }: Sample): void =>
    void file.write(`${JSON.stringify({ said, der, at })}\n`);
  return {
    ledger: {
      ...ledger,
      intend(sample) {
        write('intended', sample);
        ledger.intend(sample);
      },
      acknowledge(sample) {
        write('acknowledged', sample);
        ledger.acknowledge(sample);
      },
    },
    async close() {
      file.end();
      await ended;
    },
  };
}
