import { Client } from 'pg';
import { until } from '../until.ts';
import { type Postgres, startPostgres } from './postgres.ts';

export type PostgresPair = {
  /** a URL with both servers */
  url: string;
  primary(): Postgres;
  standby(): Postgres;
  /** Kills the primary and promotes the standby, which runs alone from then on. */
  failOver(): Promise<void>;
  /** Makes the place of the killed server a standby of the other one. */
  repair(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a primary and its synchronous standby. */
export async function startPostgresPair(): Promise<PostgresPair> {
  let primary = await startPostgres();
  let standby = await startPostgres({ primary: primary.url() });
  await waitForStandby(primary);
  const { port } = new URL(standby.url());
  return {
    url: primary.url().replace(/(?=\/postgres$)/, `,127.0.0.1:${port}`),
    primary: () => primary,
    standby: () => standby,
    async failOver() {
      await primary.kill();
      await standby.promote();
      [primary, standby] = [standby, primary];
    },
    async repair() {
      await standby.stop();
      standby = await startPostgres({ primary: primary.url(), atPort: Number(new URL(standby.url()).port) });
      await waitForStandby(primary);
    },
    async stop() {
      await Promise.all([primary.stop(), standby.stop()]);
    },
  };
}

/** Makes commits wait for a standby. Set on the primary alone: a promoted standby has nothing to wait for. */
async function waitForStandby(primary: Postgres): Promise<void> {
  const states = `select 1 from pg_stat_replication where sync_state = 'sync'`;
  await executeAt(primary.url(), `alter system set synchronous_standby_names = '*'`);
  await executeAt(primary.url(), 'select pg_reload_conf()');
  await until(() => executeAt(primary.url(), states));
}

/** Returns the number of rows. */
export async function executeAt(url: string, sql: string): Promise<number | null> {
  const client = new Client(url);
  try {
    await client.connect();
    return (await client.query(sql)).rowCount;
  } finally {
    await client.end();
  }
}
