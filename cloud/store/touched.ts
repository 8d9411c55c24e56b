import { constants, type DatabaseSync } from 'node:sqlite';

/**
 * What a statement reads and writes. A column is `table.column`; the rows of a table as such are `table`: every read
 * of the table reads them, and what adds or removes rows writes them.
 */
export type Touched = { reads: ReadonlySet<string>; writes: ReadonlySet<string> };

/** SQLite tells it while it prepares a statement: what is named in it, and what follows from foreign keys. */
export function watchPreparing(database: DatabaseSync): <T>(prepare: () => T) => { prepared: T } & Touched {
  let reads = new Set<string>();
  let writes = new Set<string>();
  database.setAuthorizer((action, table, column) => {
    if (action === constants.SQLITE_READ) reads.add(table!).add(`${table}.${column}`);
    else if (action === constants.SQLITE_UPDATE) writes.add(`${table}.${column}`);
    else if (action === constants.SQLITE_INSERT || action === constants.SQLITE_DELETE) writes.add(table!);
    return constants.SQLITE_OK;
  });
  return (prepare) => {
    reads = new Set();
    writes = new Set();
    const touched = { reads, writes };
    return { prepared: prepare(), ...touched };
  };
}
