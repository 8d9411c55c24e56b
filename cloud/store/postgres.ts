import { randomUUID } from 'node:crypto';
import type { Logger } from '#lib/log.ts';
import { retry } from '#lib/retry.ts';
import { changesChannel, listenForChanges } from './changes.ts';
import { isConnectionFault } from './connection-fault.ts';
import type { Engine } from './engine.ts';
import { Kysely, PostgresDialect, sql } from './kysely.ts';
import { createPool } from './pool.ts';
import type { Schema } from './schema.ts';

// An arbitrary number, the same in every process. Taken before a transaction begins, so that it sees the last commit.
const migrationLock = 7_260_211;

export function openPostgres(url: string, log: Logger): Engine {
  const pool = createPool(url, 10, (error) => log.warn({ err: error }, 'a database connection was lost'));
  const self = randomUUID();
  let listener: ReturnType<typeof listenForChanges> | undefined;
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return {
    kind: 'postgres',
    db,
    // Transactions that conflict are retried.
    transaction: (work) =>
      retry(() => db.transaction().setIsolationLevel('serializable').execute(work), {
        attempts: 20,
        minDelayMs: 2,
        maxDelayMs: 100,
        shouldRetry: (error) => lostRace(error) || isDuplicate(error),
      }),
    statement: (run) => run(db),
    // No timeout: a migration, or the wait for that of another process, may take long.
    runExclusively: async (work) => {
      const patient = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: createPool(url, 1, () => {}, 0) }) });
      try {
        return await patient.connection().execute(async (connection) => {
          await sql`select pg_advisory_lock(${migrationLock})`.execute(connection);
          try {
            return await work((step) => connection.transaction().execute(step));
          } finally {
            await sql`select pg_advisory_unlock(${migrationLock})`.execute(connection);
          }
        });
      } finally {
        await patient.destroy();
      }
    },
    isUnavailable: (error) => lostRace(error) || isConnectionFault(error),
    announce: async (transaction, change) => {
      await sql`select pg_notify(${changesChannel}, ${JSON.stringify({ ...change, from: self })})`.execute(transaction);
    },
    listen: (onChange) => {
      listener = listenForChanges(url, { self, onChange, log });
    },
    close: async () => {
      listener?.close();
      await db.destroy();
    },
  };
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Matches serialization failures and deadlocks. */
const lostRace = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error) ?? '');

/** PostgreSQL can report a lost race as a duplicate key; the next attempt finds the row. */
const isDuplicate = (error: unknown): boolean => codeOf(error) === '23505';
