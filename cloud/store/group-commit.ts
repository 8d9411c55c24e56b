import type { Db, Engine } from './engine.ts';

/** What carries the statements that begin and end transactions. */
export type Line = {
  exec(sql: string): void;
  readonly isInTransaction: boolean;
  /** Resolves when all that is committed is on disk. */
  synced(): Promise<void>;
};

type Waiting = { work(db: Db): Promise<unknown>; resolve(result: never): void; reject(error: unknown): void };

const mostTogether = 16; // the first of them waits for the last

/**
 * Transactions on one connection, one after another. Those that come together share a commit: having it on disk costs
 * more than most of what it holds, and is waited for elsewhere, so that others are served meanwhile. One that fails is
 * undone alone, and nobody is answered before all is on disk.
 */
export function groupCommit(db: Db, line: Line): Engine['transaction'] {
  const waiting: Waiting[] = [];
  let isWorking = false;

  async function workOff(): Promise<void> {
    while (waiting.length > 0) await commitTogether(waiting.splice(0, mostTogether), db, line);
    isWorking = false;
  }

  return <T>(work: (db: Db) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve, reject });
      if (isWorking) return;
      isWorking = true;
      setImmediate(() => void workOff()); // by then every request that has arrived is waiting
    });
}

async function commitTogether(group: readonly Waiting[], db: Db, line: Line): Promise<void> {
  try {
    line.exec('begin immediate'); // takes the lock at once, so that it never has to start over
    const outcomes: (() => void)[] = [];
    for (const each of group) outcomes.push(await attempt(each, db, line));
    line.exec('commit');
    await line.synced();
    for (const tell of outcomes) tell();
  } catch (error) {
    if (line.isInTransaction) line.exec('rollback');
    for (const { reject } of group) reject(error);
  }
}

/** Returns how to tell what became of it, once it is committed. */
async function attempt({ work, resolve, reject }: Waiting, db: Db, line: Line): Promise<() => void> {
  line.exec('savepoint attempt');
  try {
    const result = await work(db);
    line.exec('release attempt');
    return () => resolve(result as never);
  } catch (error) {
    if (!line.isInTransaction) throw error; // a full disk undoes the whole transaction
    line.exec('rollback to attempt');
    line.exec('release attempt');
    return () => reject(error);
  }
}
