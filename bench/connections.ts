import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCloudServer } from './cloud-server.ts';
import { enrolFleet, type Login } from './fleet/enrol.ts';
import type { Order } from './fleet/idle-gateways.ts';
import { startGenerator } from './fleet/start-generator.ts';
import { startChild } from './measure/child.ts';
import { compared, type Finding, measured } from './measure/finding.ts';
import { type OwnServer, startServer } from './measure/server-process.ts';

const gateways = 10_000;
const more = 5000;
const settleMs = 15_000; // until presence is stored and the garbage of the logins is collected

/** Measures gateways that are connected and send nothing. */
export async function connections(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  const { logins } = await enrolFleet(folder.path, { sites: gateways, gateways });
  await using server = await startCloudServer(folder.path);
  const before = await server.usage();
  await using generator = await startGenerator(server, logins);
  const atOnce = await server.usage();
  await sleep(settleMs);
  const settled = await server.usage();
  await sleep(settleMs);
  const after = await server.usage();
  const loginUs = (atOnce.cpuUs - before.cpuUs) / gateways;
  const idleShare = (after.cpuUs - settled.cpuUs) / (settleMs * 1000);
  return [
    measured(`${gateways} gateways connect and log in`, 's', [generator.loginSeconds]),
    measured('a login, CPU', 'µs', [loginUs]),
    measured('memory before', 'MB', [before.memoryMb]),
    measured(`memory with ${gateways} idle connections`, 'MB', [after.memoryMb], { of: 'value', atMost: 250 }),
    measured('of it for the connections', 'MB', [after.memoryMb - before.memoryMb], { of: 'value', atMost: 250 }),
    measured('CPU while all are idle', '% of a core', [idleShare * 100]),
    ...(await memoryOfConnection()),
  ];
}

/** Compares what further gateways add to a platform that serves as many already, with what bare sockets add to a server. */
async function memoryOfConnection(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  const { logins } = await enrolFleet(folder.path, { sites: 2 * more, gateways: 2 * more });
  await using platform = await startCloudServer(folder.path);
  await using bare = await startServer(import.meta.resolve('./servers/sockets.ts'));
  const ours = [await bytesOfConnection(platform, logins)];
  const theirs = { name: 'bare net socket', values: [await bytesOfConnection(bare, logins)] };
  const goal = { of: 'value', atMost: 20 } as const;
  return [compared('an idle gateway connection: memory', 'kB', ours, theirs, goal)];
}

/** After garbage collection, in kB: the young heap of a process grows with its first logins, and only once. */
async function bytesOfConnection({ mqttUrl, usageAfterCollection }: OwnServer, logins: Login[]): Promise<number> {
  await using fleet = startChild(import.meta.resolve('./fleet/idle-gateways.ts'));
  const port = Number(new URL(mqttUrl!).port);
  const connect = (those: Login[]): Promise<number> => fleet.ask<number>({ port, logins: those } satisfies Order);
  await connect(logins.slice(0, more));
  const before = await usageAfterCollection();
  await connect(logins.slice(more));
  const after = await usageAfterCollection();
  return ((after.memoryMb - before.memoryMb) * 1000) / more;
}
