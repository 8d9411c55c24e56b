import { randomUUID } from 'node:crypto';
import type { Logger } from '#lib/log.ts';
import { retry } from '#lib/retry.ts';
import { channel, listenForChanges } from './changes.ts';
import type { Engine } from './engine.ts';
import { Kysely, PostgresDialect, sql } from './kysely.ts';
import { createPool } from './pool.ts';
import type { Schema } from './schema.ts';

// Any number, the same in every process. Taken before a transaction begins, so that it sees what the last one did.
const lockNumber = 7_260_211;

export function openPostgres(url: string, log: Logger): Engine {
  const pool = createPool(url, 10, (error) => log.warn({ err: error }, 'a database connection was lost'));
  const self = randomUUID();
  let listener: ReturnType<typeof listenForChanges> | undefined;
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return {
    kind: 'postgres',
    db,
    // Serializable: whatever races, the result equals some order; the loser of a race starts over.
    transaction: (work) =>
      retry(() => db.transaction().setIsolationLevel('serializable').execute(work), {
        attempts: 20,
        minDelayMs: 2,
        maxDelayMs: 100,
        shouldRetry: (error) => lostRace(error) || isDuplicate(error),
      }),
    // A migration, or the wait for one of another process, takes as long as it takes.
    exclusively: async (work) => {
      const patient = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: createPool(url, 1, () => {}, 0) }) });
      try {
        return await patient.connection().execute(async (connection) => {
          await sql`select pg_advisory_lock(${lockNumber})`.execute(connection);
          try {
            return await work((step) => connection.transaction().execute(step));
          } finally {
            await sql`select pg_advisory_unlock(${lockNumber})`.execute(connection);
          }
        });
      } finally {
        await patient.destroy();
      }
    },
    isUnavailable: (error) => lostRace(error) || isConnectionFault(error as NodeJS.ErrnoException),
    announce: async (transaction, change) => {
      await sql`select pg_notify(${channel}, ${JSON.stringify({ ...change, from: self })})`.execute(transaction);
    },
    listen: (hear) => {
      listener = listenForChanges(url, { self, hear, log });
    },
    close: async () => {
      listener?.close();
      await db.destroy();
    },
  };
}

const serializationFailure = '40001';
const deadlock = '40P01';

const uniqueViolation = '23505';

const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code;

const lostRace = (error: unknown): boolean => codeOf(error) === serializationFailure || codeOf(error) === deadlock;

/** PostgreSQL reports a lost race like this when the key was looked up by another index; the next attempt finds the row. */
const isDuplicate = (error: unknown): boolean => codeOf(error) === uniqueViolation;

/** Network errors, the classes "connection exception" and "operator intervention", and a full server or disk. */
function isConnectionFault({ code, message }: NodeJS.ErrnoException): boolean {
  if (code === undefined) return /timeout exceeded|connection terminated/i.test(message);
  return code.startsWith('E') || /^(08|53|57)/.test(code);
}
