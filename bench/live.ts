import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn, startCloudServer } from './cloud-server.ts';
import { enrolFleet } from './fleet/enrol.ts';
import { type Generator, startGenerator } from './fleet/start-generator.ts';
import type { Order, Told } from './live/viewers.ts';
import { startChild } from './measure/child.ts';
import { type Finding, measured } from './measure/finding.ts';
import type { ServerProcess } from './measure/server-process.ts';
import { idOf } from './registry/fill.ts';

const gateways = 1000;
const perSecond = 5000;
const few = 300;
const many = 10_000;
const manyPerSecond = 500; // each is delivered to ten
const stalledShare = 0.2;
const seconds = 10;
const rounds = 5;

type Round = Told & { carried: number; deliveries: number; cpuShare: number; memoryMb: number };

/** How long a reading takes from its gateway to viewers, and what many viewers cost. */
export async function live(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  const { owner, logins } = await enrolFleet(folder.path, { sites: gateways, gateways });
  await using server = await startCloudServer(folder.path);
  await using generator = await startGenerator(server, logins);
  const token = await signIn(server.url, owner);
  const platform = { server, generator, token };
  const some = await watched(platform, { count: few, stalled: 0, rate: perSecond });
  const all = await watched(platform, { count: many, stalled: many * stalledShare, rate: manyPerSecond });
  const pick = (name: keyof Round, of: Round[]): number[] => of.map((round) => round[name]);
  const last = all.at(-1)!;
  const said = `${many} viewers, ${many * stalledShare} of them stalled`;
  return [
    measured(`${few} viewers: messages taken in`, '/s', pick('carried', some)),
    measured(`${few} viewers: reading to event, median`, 'ms', pick('p50Ms', some)),
    measured(`${few} viewers: reading to event, 99 %`, 'ms', pick('p99Ms', some)),
    measured(`${few} viewers: events delivered`, '/s', pick('deliveries', some)),
    measured(`${few} viewers: CPU`, '% of a core', pick('cpuShare', some)),
    measured(`${said}: reading to event, median`, 'ms', pick('p50Ms', all)),
    measured(`${said}: reading to event, 99 %`, 'ms', pick('p99Ms', all)),
    measured(`${said}: events delivered`, '/s', pick('deliveries', all)),
    measured(`${said}: CPU`, '% of a core', pick('cpuShare', all)),
    measured(`${said}: memory`, 'MB', pick('memoryMb', all), { of: 'value', atMost: 500 }),
    measured(`${said}: reading viewers that were cut off`, '', [many * (1 - stalledShare) - last.open], {
      of: 'value',
      atMost: 0,
    }),
    measured(`${said}: stalled viewers still held`, '', [last.stalledOpen]),
  ];
}

type Platform = { server: ServerProcess; generator: Generator; token: string };
type Audience = { count: number; stalled: number /** messages a second from the fleet */; rate: number };

async function watched({ server, generator, token }: Platform, { count, stalled, rate }: Audience): Promise<Round[]> {
  await using viewers = startChild(import.meta.resolve('./live/viewers.ts'));
  const ask = (order: Order): Promise<Told> => viewers.ask<Told>(order);
  const paths = Array.from({ length: count }, (_, n) => `/stream/sites/${idOf('sit', n % gateways)}`);
  await ask({ do: 'open', port: Number(new URL(server.url).port), token, paths });
  await ask({ do: 'stall', count: stalled });
  await generator.pace(rate, 2);
  const found: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    await ask({ do: 'tell' });
    const before = await server.usage();
    const sent = await generator.pace(rate, seconds);
    const after = await server.usage();
    const told = await ask({ do: 'tell' });
    found.push({
      ...told,
      carried: sent.messages / sent.seconds,
      deliveries: told.events / sent.seconds,
      cpuShare: (after.cpuUs - before.cpuUs) / (sent.seconds * 10_000),
      memoryMb: after.memoryMb,
    });
  }
  return found;
}
