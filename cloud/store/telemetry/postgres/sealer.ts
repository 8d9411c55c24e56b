import { parentPort, workerData } from 'node:worker_threads';
import { createPool } from '../../pool.ts';
import { answerCalls } from '../calls.ts';
import { nothingSealed } from '../sealing.ts';
import { createSealDue, eraseDer, forgetOld } from '../sealing-run.ts';
import type { Retention, SealReport } from '../telemetry-store.ts';
import { alone } from './alone.ts';
import { readTables } from './tables.ts';

export type SealerOptions = { url: string; retention: Retention };

export type Sealer = {
  seal(now: number): Promise<SealReport>;
  /** Before which instant everything is forgotten. */
  forget(now: number): Promise<number>;
  /** Deletes everything that is kept of these DERs; false while another process seals. */
  erase(ders: readonly number[]): Promise<boolean>;
  close(): Promise<void>;
};

const { url, retention } = workerData as SealerOptions;
const pool = createPool(url, 1, () => {}); // the next call makes a new connection
const sealDue = createSealDue();

answerCalls(parentPort!, {
  seal: async (now) => (await alone(pool, (sealing) => sealDue(sealing, now))) ?? nothingSealed,
  forget: async (now) =>
    (await alone(pool, ({ transact }) => forgetOld(transact, now, retention))) ??
    readTables(pool).state('forgotten_before'),
  erase: async (ders) =>
    (await alone(pool, async ({ transact }) => {
      for (const der of ders) await eraseDer(transact, der);
      return true;
    })) ?? false,
  close: () => pool.end(),
} satisfies Sealer);
