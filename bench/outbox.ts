import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCloudServer } from './cloud-server.ts';
import { type Child, startChild } from './measure/child.ts';
import { type Finding, measured } from './measure/finding.ts';
import type { ServerProcess } from './measure/server-process.ts';
import type { DrainAnswer, FillAnswer, LiveAnswer, Order } from './outbox/gateway.ts';
import { enrolHome } from './outbox/home.ts';

const live = { perSecond: 2000, devices: 20, seconds: 10 };
const week = { count: 302_400, devices: 5, stepMs: 10_000 };
const rounds = 3;

/** Measures samples of a gateway on their way through its outbox to the platform, and a backlog of a week. */
export async function outbox(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  await using server = await startCloudServer(join(folder.path, 'cloud'));
  const lives: LiveAnswer[] = [];
  for (let round = 0; round < rounds; round++) {
    await using gateway = await startGateway(server, join(folder.path, `live-${round}`), live.devices);
    lives.push(await ask<LiveAnswer>(gateway, { live }));
  }
  await using gateway = await startGateway(server, join(folder.path, 'week'), week.devices);
  const { diskBytes, jsonBytes } = await ask<FillAnswer>(gateway, { fill: week });
  const { seconds, delaysMs } = await drain(gateway);

  const perSecond = lives.map(({ acknowledged }) => acknowledged / live.seconds);
  return [
    measured('samples a second taken, written and acknowledged', '/s', perSecond, { of: 'value', atLeast: 1900 }),
    measured(
      'CPU at 2 000 samples a second, of one core',
      '%',
      lives.map(({ cpuShare }) => 100 * cpuShare),
      {
        of: 'value',
        atMost: 30,
      },
    ),
    measured(
      'a sample until it is acknowledged, p99',
      'ms',
      lives.map(({ delaysMs }) => p99(delaysMs)),
    ),
    measured('a waiting sample on disk, against its JSON', 'x', [diskBytes / jsonBytes], { of: 'value', atMost: 1.3 }),
    measured(`backlog of ${week.count} samples sent and acknowledged`, 's', [seconds], { of: 'value', atMost: 300 }),
    measured(`a live sample meanwhile, p99 of ${delaysMs.length}`, 'ms', [p99(delaysMs)], {
      of: 'value',
      atMost: 2000,
    }),
  ];
}

/** In parts, because requests to the child time out. */
async function drain(gateway: Child): Promise<{ seconds: number; delaysMs: number[] }> {
  let seconds = 0;
  const delaysMs: number[] = [];
  for (let isDone = false; !isDone; ) {
    const part = await ask<DrainAnswer>(gateway, { drain: { devices: week.devices, everyMs: 1000, mostSeconds: 60 } });
    seconds += part.seconds;
    delaysMs.push(...part.delaysMs);
    isDone = part.isDone;
  }
  return { seconds, delaysMs };
}

async function startGateway({ url, mqttUrl }: ServerProcess, dataDir: string, meters: number): Promise<Child> {
  const env = { ...(await enrolHome(url, meters)), DATA_DIR: dataDir, MQTT_URL: mqttUrl! };
  const child = startChild(import.meta.resolve('./outbox/gateway.ts'), { env });
  await child.answer();
  return child;
}

const ask = <Answer>(gateway: Child, order: Order): Promise<Answer> => gateway.ask<Answer>(order);

const p99 = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)]!;
