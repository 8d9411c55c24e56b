import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { startPostgres } from '../services/postgres.ts';
import { startPostgresPair } from '../services/postgres-pair.ts';
import { startRabbit } from '../services/rabbitmq.ts';
import type { Victim } from './kill-loop.ts';
import { type Platform, startPlatform } from './platform.ts';

/** Bugs that the platform process can be started with. */
export type Planted = 'early-ack' | 'forgetful';

const internalToken = 'internal-secret-of-the-kill-loops';

async function openPlatform(planted: Planted | undefined, settings: Record<string, string> = {}) {
  const { path: folder, remove } = await mkdtempDisposable(join(tmpdir(), 'ohmstead-faults-'));
  const [cloudPort, mqttPort] = [await freePort(), await freePort()];
  const env = {
    DATA_DIR: folder,
    CLOUD_PORT: String(cloudPort),
    MQTT_PORT: String(mqttPort),
    ...(planted && { PLANTED: planted }),
    ...settings,
  };
  let platform: Platform = await startPlatform(env);
  return {
    baseUrl: () => platform.url,
    mqttUrl: () => `mqtt://127.0.0.1:${mqttPort}`,
    kill: () => platform.kill(),
    async start(): Promise<void> {
      platform = await startPlatform(env);
    },
    async close(): Promise<void> {
      await platform.kill();
      await remove();
    },
  };
}

/** The platform with its own broker and database, in one process. */
export async function platformAlone(planted?: Planted): Promise<Victim> {
  const platform = await openPlatform(planted);
  return {
    ...platform,
    async killAndRestart() {
      await platform.kill();
      await platform.start();
    },
  };
}

/** The PostgreSQL of a platform, which continues without it. */
export async function postgresOfPlatform(planted?: Planted): Promise<Victim> {
  const postgres = await startPostgres({ durable: true });
  const platform = await openPlatform(planted, { DATABASE_URL: postgres.url(), LOG_LEVEL: 'fatal' });
  return {
    ...platform,
    killAndRestart: () => postgres.restart('SIGKILL'),
    async close() {
      await platform.close();
      await postgres.stop();
    },
  };
}

/** The PostgreSQL primary of a platform; its synchronous standby is promoted, and a new standby is made. */
export async function primaryOfPlatform(planted?: Planted): Promise<Victim> {
  const pair = await startPostgresPair();
  const platform = await openPlatform(planted, { DATABASE_URL: pair.url, LOG_LEVEL: 'fatal' });
  return {
    ...platform,
    async killAndRestart() {
      await pair.failOver();
      await pair.repair();
    },
    async close() {
      await platform.close();
      await pair.stop();
    },
  };
}

async function startUntilItRuns(start: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await start();
    } catch (error) {
      if (tries === 20) throw error; // a supervisor would continue
    }
  }
}

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);

/** PostgreSQL and the platform at once, started in random order. */
export async function everything(planted?: Planted): Promise<Victim> {
  const postgres = await startPostgres({ durable: true });
  const platform = await openPlatform(planted, { DATABASE_URL: postgres.url(), LOG_LEVEL: 'fatal' });
  return {
    ...platform,
    async killAndRestart() {
      const again = postgres.restart('SIGKILL');
      await platform.kill();
      if (Math.random() < 0.5) await again;
      await Promise.all([again, startUntilItRuns(platform.start)]);
    },
    async close() {
      await platform.close();
      await postgres.stop();
    },
  };
}

/** The three nodes of RabbitMQ one after another; gateways are connected to the others. */
export async function rabbitOfPlatform(planted?: Planted): Promise<Victim> {
  const cloudPort = await freePort();
  const rabbit = await startRabbit({ nodes: 3, authUrl: `http://127.0.0.1:${cloudPort}`, internalToken });
  const platform = await openPlatform(planted, {
    CLOUD_PORT: String(cloudPort),
    BROKER_URL: rabbit.amqpUrls.join(','),
    BROKER_MANAGEMENT_URL: rabbit.managementUrls.join(','),
    INTERNAL_TOKEN: internalToken,
    LOG_LEVEL: 'fatal',
  });
  let dead: number | undefined;
  return {
    ...platform,
    mqttUrl(gateway) {
      const living = rabbit.mqttUrls.filter((_, node) => node !== dead);
      return living[gateway % living.length]!;
    },
    async killAndRestart(cycle) {
      dead = cycle % rabbit.mqttUrls.length;
      await rabbit.kill(dead);
      await rabbit.start(dead);
      dead = undefined;
    },
    async close() {
      await platform.close();
      await rabbit.stop();
    },
  };
}

type ClusterPart = 'node' | 'bus' | 'everything';

/** Two processes of a platform with PostgreSQL, and RabbitMQ between them. Gateways connect to a process that is alive. */
const clusterOf =
  (part: ClusterPart) =>
  async (planted?: Planted): Promise<Victim> => {
    const postgres = await startPostgres({ durable: true });
    const rabbit = await startRabbit({ nodes: 1, authUrl: 'http://127.0.0.1:1' });
    const settings = { DATABASE_URL: postgres.url(), BUS_URL: rabbit.amqpUrls.join(), LOG_LEVEL: 'fatal' };
    const nodes = [await openPlatform(planted, settings), await openPlatform(planted, settings)];
    let dead: number | undefined;
    const kill = {
      async node(cycle: number): Promise<void> {
        dead = cycle % nodes.length;
        await nodes[dead]!.kill();
        await nodes[dead]!.start();
        dead = undefined;
      },
      async bus(): Promise<void> {
        await rabbit.kill(0);
        await rabbit.start(0);
      },
      async everything(): Promise<void> {
        const again = postgres.restart('SIGKILL');
        await Promise.all([rabbit.kill(0), ...nodes.map((node) => node.kill())]);
        const starts = [() => rabbit.start(0), ...nodes.map((node) => () => startUntilItRuns(node.start))];
        if (Math.random() < 0.5) await again;
        await Promise.all([again, ...shuffled(starts).map((start) => start())]);
      },
    };
    return {
      baseUrl: () => nodes[dead === 0 ? 1 : 0]!.baseUrl(),
      mqttUrl: (gateway) => nodes[dead === undefined ? gateway % nodes.length : 1 - dead]!.mqttUrl(),
      killAndRestart: kill[part],
      async close() {
        for (const node of nodes) await node.close();
        await rabbit.stop();
        await postgres.stop();
      },
    };
  };

export const nodeOfCluster = clusterOf('node');
export const busOfCluster = clusterOf('bus');
export const wholeCluster = clusterOf('everything');
