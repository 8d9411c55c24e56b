import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn, startCloudServer } from './cloud-server.ts';
import { enrolFleet } from './fleet/enrol.ts';
import type { Done } from './fleet/generator.ts';
import { type Generator, startGenerator } from './fleet/start-generator.ts';
import { type Round, seat } from './live/audience.ts';
import { compared, type Finding, measured } from './measure/finding.ts';
import { inTurns } from './measure/rounds.ts';
import { type ServerProcess, startServer } from './measure/server-process.ts';
import { reach } from './reach.ts';

const gateways = 1000;
const few = 300;
const many = 10_000; // ten at each site
const stalled = 2000;
const wanted = 50_000;
const perSecond = { few: 5000, many: 5100, stalled: 500 };
const seconds = 10;
const dersOfHome = 5; // which a gateway reads at once
const rounds = 5;

type Platform = { server: ServerProcess; generator: Generator; token: string };

/** Measures how long a reading takes from its gateway to viewers, and the cost of many viewers. */
export async function live(): Promise<Finding[]> {
  return [...(await onPlatform(someWatch)), ...(await onPlatform(someStall)), ...(await onPlatform(manyWatch))];
}

/** Each has its own platform, because memory of earlier work stays in a process. */
async function onPlatform(bench: (platform: Platform) => Promise<Finding[]>): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  const { owner, logins } = await enrolFleet(folder.path, { sites: gateways, gateways });
  await using server = await startCloudServer(folder.path);
  await using generator = await startGenerator(server, logins);
  return await bench({ server, generator, token: await signIn(server.url, owner) });
}

async function someWatch({ server, generator, token }: Platform): Promise<Finding[]> {
  await using audience = await seat(server, token, { count: few, sites: gateways });
  await generator.pace(perSecond.few, 2);
  const load = (): Promise<Done> => generator.pace(perSecond.few, seconds);
  const { some } = await inTurns(rounds, { some: () => audience.watch(load) });
  return [
    measured(`${few} viewers: messages taken in`, '/s', pick('carried', some)),
    measured(`${few} viewers: reading to event, median`, 'ms', pick('p50Ms', some)),
    measured(`${few} viewers: reading to event, 99 %`, 'ms', pick('p99Ms', some)),
    measured(`${few} viewers: events delivered`, '/s', pick('deliveries', some)),
    measured(`${few} viewers: CPU`, '% of a core', pick('cpuShare', some)),
  ];
}

async function someStall({ server, generator, token }: Platform): Promise<Finding[]> {
  await using audience = await seat(server, token, { count: many, sites: gateways, stalled });
  await generator.pace(perSecond.stalled, 2);
  const load = (): Promise<Done> => generator.pace(perSecond.stalled, seconds);
  const { all } = await inTurns(rounds, { all: () => audience.watch(load) });
  const said = `${many} viewers, ${stalled} of them stalled`;
  const last = all.at(-1)!;
  return [
    measured(`${said}: reading to event, median`, 'ms', pick('p50Ms', all)),
    measured(`${said}: reading to event, 99 %`, 'ms', pick('p99Ms', all)),
    measured(`${said}: events delivered`, '/s', pick('deliveries', all)),
    measured(`${said}: CPU`, '% of a core', pick('cpuShare', all)),
    measured(`${said}: memory`, 'MB', pick('memoryMb', all), { of: 'value', atMost: 500 }),
    measured(`${said}: reading viewers that were cut off`, '', [many - stalled - last.open], {
      of: 'value',
      atMost: 0,
    }),
    measured(`${said}: stalled viewers still held`, '', [last.stalledOpen]),
  ];
}

/** Compares with a server that generates its readings, without receiving, storing or looking up anything. */
async function manyWatch({ server, generator, token }: Platform): Promise<Finding[]> {
  await using bare = await startServer(import.meta.resolve('./servers/events.ts'));
  await using ours = await seat(server, token, { count: many, sites: gateways });
  await using theirs = await seat(bare, token, { count: many, sites: gateways });
  const contenders = {
    platform: () => ours.watch(() => generator.pace(perSecond.many, seconds, dersOfHome)),
    bare: () => theirs.watch(() => paceBare(bare, perSecond.many, seconds)),
  };
  await generator.pace(perSecond.many, 2, dersOfHome);
  await paceBare(bare, perSecond.many, 2);
  const found = await inTurns(rounds, contenders);
  type Figure = (round: Round) => number;
  const row = (
    part: string,
    figure: Figure,
    unit: string,
    goal: { atMost: number } | { atLeast: number },
  ): Finding => ({
    ...compared(
      reach.streams,
      unit,
      found.platform.map(figure),
      { name: 'bare node:http', values: found.bare.map(figure) },
      { of: 'value', ...goal },
    ),
    part: `${many} clients, ${part}`,
  });
  // A server that does not keep up uses little CPU: only delivered events count.
  const cpuShare: Figure = (round) => (round.cpuShare * wanted) / round.deliveries;
  return [
    row('deliveries', ({ deliveries }) => deliveries, '/s', { atLeast: wanted }),
    row(`CPU for ${wanted} deliveries/s`, cpuShare, '% of a core', { atMost: 60 }),
    row('p99', ({ p99Ms }) => p99Ms, 'ms', { atMost: 150 }),
    row('memory', ({ memoryMb }) => memoryMb, 'MB', { atMost: 500 }),
  ];
}

const pick = (name: keyof Round, of: readonly Round[]): number[] => of.map((round) => round[name]);

async function paceBare({ url }: ServerProcess, perSecond: number, seconds: number): Promise<Done> {
  const reply = await fetch(`${url}/?perSecond=${perSecond}&seconds=${seconds}`, { method: 'POST' });
  return (await reply.json()) as Done;
}
