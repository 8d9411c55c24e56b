import { setImmediate } from 'node:timers/promises';
import type { Db, Engine } from './engine.ts';

/** The connection that begins and ends transactions. */
export type TransactionConnection = {
  exec(sql: string): void;
  readonly isInTransaction: boolean;
  /** Resolves when everything that is committed is on disk. */
  sync(): Promise<void>;
};

/** `run` returns a function that settles the caller's promise with the result. */
type Waiting = { run(db: Db): Promise<() => void>; reject(error: unknown): void };

const maxGroupSize = 16; // the first of a group waits for the last

/**
 * Runs transactions on one connection, one after another. Transactions that are waiting together share a commit:
 * flushing it to disk costs more than most of its statements, and other requests are served meanwhile. A transaction that
 * fails is rolled back alone, and no caller is answered before the commit is on disk. `close` commits what is waiting and
 * refuses later transactions.
 */
export function groupCommit(
  db: Db,
  connection: TransactionConnection,
): { transaction: Engine['transaction']; close(): Promise<void> } {
  const waiting: Waiting[] = [];
  let working: Promise<void> | undefined;
  let isClosed = false;

  async function commitAll(): Promise<void> {
    await setImmediate(); // by then every request that has arrived is waiting
    while (waiting.length > 0) await commitGroup(waiting.splice(0, maxGroupSize), db, connection);
    working = undefined;
  }

  const transaction = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (isClosed) throw new Error('The database is closed.');
      const run = async (db: Db): Promise<() => void> => {
        const result = await work(db);
        return () => resolve(result);
      };
      waiting.push({ run, reject });
      working ??= commitAll();
    });
  return {
    transaction,
    async close() {
      isClosed = true;
      await working;
    },
  };
}

async function commitGroup(group: readonly Waiting[], db: Db, connection: TransactionConnection): Promise<void> {
  try {
    connection.exec('begin immediate'); // takes the lock now, so that the transaction never has to start over
    const settles: (() => void)[] = [];
    for (const waiting of group) settles.push(await attempt(waiting, db, connection));
    connection.exec('commit');
    await connection.sync();
    for (const settle of settles) settle();
  } catch (error) {
    if (connection.isInTransaction) connection.exec('rollback');
    for (const { reject } of group) reject(error);
  }
}

/** Returns a function that settles the caller's promise, for use after the commit. */
async function attempt({ run, reject }: Waiting, db: Db, connection: TransactionConnection): Promise<() => void> {
  connection.exec('savepoint attempt');
  try {
    const settle = await run(db);
    connection.exec('release attempt');
    return settle;
  } catch (error) {
    if (!connection.isInTransaction) throw error; // a full disk undoes the whole transaction
    connection.exec('rollback to attempt');
    connection.exec('release attempt');
    return () => reject(error);
  }
}
