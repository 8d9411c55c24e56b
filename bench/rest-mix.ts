import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs } from '#contract/time.ts';
import { signIn, startCloudServer } from './cloud-server.ts';
import { derNumbers, openFolderTelemetry } from './fleet/data-folder.ts';
import { enrolFleet } from './fleet/enrol.ts';
import { startGenerator } from './fleet/start-generator.ts';
import { startChild } from './measure/child.ts';
import { type Finding, type Goal, measured } from './measure/finding.ts';
import { reach } from './reach.ts';
import type { Order, Waits } from './rest-mix/open-loop.ts';
import { mixOf } from './rest-mix/requests.ts';
import { fillStretch } from './workload/fill.ts';

const sites = 1000;
const gateways = 200;
const kept = 40; // meters with readings of a day
const places = 100;
const stepMs = 60_000;
const perSecond = 2000;
const messagesPerSecond = 200;
const connections = 50;
const seconds = 10;
const rounds = 5;

/** Measures everyday requests at a fixed rate while readings arrive. */
export async function restMix(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  const { owner, logins } = await enrolFleet(folder.path, { sites, gateways, places });
  await fillMeters(folder.path);
  await using server = await startCloudServer(folder.path);
  await using generator = await startGenerator(server, logins);
  await using client = startChild(import.meta.resolve('./rest-mix/open-loop.ts'));
  const token = await signIn(server.url, owner);
  const requests = mixOf({ token, publicKey: owner.publicKey, sites, kept }, perSecond * seconds);

  const run = async (some: typeof requests): Promise<Waits & { cpuShare: number }> => {
    const before = await server.cpuUs();
    const arriving = generator.pace(messagesPerSecond, some.length / perSecond);
    const order: Order = { url: server.url, requests: some, perSecond, connections };
    const waits = await client.ask<Waits>(order);
    await arriving;
    const used = (await server.cpuUs()) - before;
    if (waits.refused > 0) throw new Error(`${waits.refused} of ${some.length} requests were refused.`);
    return { ...waits, cpuShare: used / (waits.seconds * 10_000) };
  };
  await run(requests.slice(0, 3 * perSecond));
  const found: Awaited<ReturnType<typeof run>>[] = [];
  for (let round = 0; round < rounds; round++) found.push(await run(requests));

  const figure = (part: string, unit: string, values: number[], goal?: Goal): Finding => ({
    ...measured(reach.mix, unit, values, goal),
    part,
  });
  return [
    figure(
      '99 %',
      'ms',
      found.map(({ p99Ms }) => p99Ms),
      { of: 'value', atMost: 25 },
    ),
    figure(
      'median',
      'ms',
      found.map(({ p50Ms }) => p50Ms),
    ),
    figure(
      'longest',
      'ms',
      found.map(({ longestMs }) => longestMs),
    ),
    figure(
      'answered',
      '/s',
      found.map((round) => requests.length / round.seconds),
    ),
    figure(
      'CPU',
      '% of a core',
      found.map(({ cpuShare }) => cpuShare),
    ),
  ];
}

/** Adds a day of some meters, one reading per minute. */
async function fillMeters(dataDir: string): Promise<void> {
  const numbers = await derNumbers(dataDir);
  const ders = Array.from({ length: kept }, (_, site) => numbers[5 * site + 3]!);
  const telemetry = await openFolderTelemetry(dataDir);
  const to = Date.now();
  await fillStretch(telemetry, { ders, from: to - dayMs, to, stepMs });
  await telemetry.close();
}
