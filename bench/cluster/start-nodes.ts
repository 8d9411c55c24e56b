import { join } from 'node:path';
import type { Postgres } from '#test/services/postgres.ts';
import { type Rabbit, startRabbit } from '#test/services/rabbitmq.ts';
import { startCloudServer } from '../cloud-server.ts';
import { enrolFleet, type Fleet } from '../fleet/enrol.ts';
import type { OwnServer } from '../measure/server-process.ts';
import { freshDatabase } from './fresh-database.ts';
import { cpuUsOf } from './process-cpu.ts';

/** CPU of the parts of a cluster, microseconds. */
export type Cpu = { platform: number; postgres: number; rabbit: number };

/** Processes of the platform with embedded brokers that share a database and a bus. */
export type Nodes = AsyncDisposable & {
  nodes: readonly OwnServer[];
  fleet: Fleet;
  databaseUrl: string;
  /** Returns the CPU of PostgreSQL, of RabbitMQ, and of the first nodes, so far. */
  cpu(count: number): Promise<Cpu>;
};

type Size = { folder: string; gateways: number; count: number };

/** Starts the nodes on a new database, with RabbitMQ as the bus. */
export async function startNodes(postgres: Postgres, { folder, gateways, count }: Size): Promise<Nodes> {
  await using open = new AsyncDisposableStack();
  const databaseUrl = await freshDatabase(postgres, 'nodes');
  const fleet = await enrolFleet(folder, { sites: gateways, gateways, databaseUrl });
  const rabbit = await startRabbit({ nodes: 1, authUrl: 'http://127.0.0.1:9' }); // nobody connects to its MQTT
  open.defer(() => rabbit.stop());
  const nodes: OwnServer[] = [];
  for (let number = 0; number < count; number++) {
    const options = { databaseUrl, busUrl: rabbit.amqpUrls.join(',') };
    nodes.push(open.use(await startCloudServer(join(folder, `node-${number}`), options)));
  }
  const kept = open.move();
  return {
    nodes,
    fleet,
    databaseUrl,
    cpu: (used) => cpuOf(nodes.slice(0, used), postgres, rabbit),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function cpuOf(nodes: readonly OwnServer[], postgres: Postgres, rabbit: Rabbit): Promise<Cpu> {
  const each = await Promise.all(nodes.map((node) => node.cpuUs()));
  return {
    platform: each.reduce((sum, cpuUs) => sum + cpuUs, 0),
    postgres: cpuUsOf(`port=${new URL(postgres.url()).port}`),
    rabbit: cpuUsOf(rabbit.folder),
  };
}
