import { join } from 'node:path';
import { freePort } from '#test/free-port.ts';
import type { Postgres } from '#test/services/postgres.ts';
import { startRabbit } from '#test/services/rabbitmq.ts';
import { enrolFleet } from '../fleet/enrol.ts';
import { startChild } from '../measure/child.ts';
import { type ServerProcess, startServer } from '../measure/server-process.ts';
import { freshDatabase } from './fresh-database.ts';
import type { Order } from './generator.ts';
import { cpuUsOf } from './process-cpu.ts';
import type { Contender } from './publish.ts';

type Size = { folder: string; gateways: number };

const processes = 2;
const internalToken = 'internal-token-of-the-bench';

/** Starts RabbitMQ, two processes of the platform on their own database, and logs a fleet in at RabbitMQ. */
export async function startThroughRabbit(postgres: Postgres, size: Size): Promise<Contender & AsyncDisposable> {
  await using open = new AsyncDisposableStack();
  const { folder, gateways } = size;
  const databaseUrl = await freshDatabase(postgres, 'through_rabbitmq');
  const { logins } = await enrolFleet(folder, { sites: gateways, gateways, databaseUrl });
  const port = await freePort(); // RabbitMQ needs the address of the platform before the platform runs
  const rabbit = await startRabbit({ nodes: 1, authUrl: `http://127.0.0.1:${port}`, internalToken });
  open.defer(() => rabbit.stop());
  const platforms: ServerProcess[] = [];
  for (let number = 0; number < processes; number++) {
    const env = {
      CLOUD_PORT: String(number === 0 ? port : 0),
      DATA_DIR: join(folder, `process-${number}`),
      DATABASE_URL: databaseUrl,
      BROKER_URL: rabbit.amqpUrls.join(','),
      BROKER_MANAGEMENT_URL: rabbit.managementUrls.join(','),
      INTERNAL_TOKEN: internalToken,
      PUBLIC_URL: 'http://platform.test',
      LOG_LEVEL: 'warn',
    };
    platforms.push(open.use(await startServer(import.meta.resolve('../servers/cloud.ts'), { env })));
  }
  const generator = open.use(startChild(import.meta.resolve('./generator.ts')));
  const order = (what: Order): Promise<number> => generator.ask<number>(what);
  await order({ do: 'connect', mqttUrl: rabbit.mqttUrls[0]!, logins });
  const kept = open.move();
  return {
    platforms,
    gateways,
    publish: (each) => order({ do: 'publish', each }),
    brokerCpuUs: () => cpuUsOf(rabbit.folder),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
