import type { Postgres } from '#test/services/postgres.ts';
import { startCloudServer } from '../cloud-server.ts';
import { enrolFleet } from '../fleet/enrol.ts';
import { startChild } from '../measure/child.ts';
import { freshDatabase } from './fresh-database.ts';
import type { Order } from './generator.ts';
import type { Contender } from './publish.ts';

export type Size = { folder: string; gateways: number };

/** Starts one process with the embedded broker, on its own database, and logs a fleet in. */
export async function startAlone(postgres: Postgres, size: Size): Promise<Contender & AsyncDisposable> {
  await using open = new AsyncDisposableStack();
  const { folder, gateways } = size;
  const databaseUrl = await freshDatabase(postgres, 'alone');
  const { logins } = await enrolFleet(folder, { sites: gateways, gateways, databaseUrl });
  const platform = open.use(await startCloudServer(folder, { databaseUrl }));
  const generator = open.use(startChild(import.meta.resolve('./generator.ts')));
  const order = (what: Order): Promise<number> => generator.ask<number>(what);
  await order({ do: 'connect', mqttUrl: platform.mqttUrl!, logins });
  const kept = open.move();
  return {
    platforms: [platform],
    gateways,
    publish: (each) => order({ do: 'publish', each }),
    brokerCpuUs: () => 0,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
