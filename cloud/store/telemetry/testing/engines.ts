import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { createLog } from '#lib/log.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { createPool } from '../../pool.ts';
import { openPostgresTelemetry } from '../postgres/open.ts';
import { writeTables as postgresTables } from '../postgres/tables.ts';
import { telemetryFile } from '../sqlite/database.ts';
import { openSqliteTelemetry } from '../sqlite/open.ts';
import { writeTables as sqliteTables } from '../sqlite/tables.ts';
import type { WriteTables } from '../tables.ts';
import type { Retention, TelemetryStore } from '../telemetry-store.ts';

const log = createLog({ level: 'silent', name: 'test' });

/** A telemetry store, and direct access to its tables. */
type Opened = { store: TelemetryStore; tables: WriteTables };

export const telemetryEngines: {
  engine: string;
  skip: false | string;
  open(t: TestContext, retention: Retention): Promise<Opened>;
}[] = [
  {
    engine: 'SQLite',
    skip: false,
    async open(t, retention) {
      const dataDir = temporaryFolder(t);
      const store = await openSqliteTelemetry({ dataDir, retention, log });
      const database = new DatabaseSync(telemetryFile(dataDir));
      t.after(async () => {
        database.close();
        await store.close();
      });
      return { store, tables: sqliteTables(database) };
    },
  },
  {
    engine: 'PostgreSQL',
    skip: postgresMissing(),
    async open(t, retention) {
      const { url, drop } = await freshDatabase();
      const store = await openPostgresTelemetry({ url, partitions: 1, retention, log });
      const pool = createPool(url, 1, () => {}); // dropping the database may end a connection before it is closed
      t.after(async () => {
        await pool.end();
        await store.close();
        await drop();
      });
      return { store, tables: postgresTables(pool, 0) };
    },
  },
];
