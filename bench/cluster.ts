import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Postgres, startPostgres } from '#test/services/postgres.ts';
import { countStored } from './cluster/count-stored.ts';
import { measureFailover } from './cluster/failover.ts';
import { publish } from './cluster/publish.ts';
import { connectFleet, type Fleet, type Round } from './cluster/rounds.ts';
import { measureSealing } from './cluster/sealing.ts';
import { type Nodes, startNodes } from './cluster/start-nodes.ts';
import { startThroughRabbit } from './cluster/start-through-rabbitmq.ts';
import { seatViewers } from './cluster/watch.ts';
import { compared, type Finding, type Goal, measured } from './measure/finding.ts';
import { inTurns } from './measure/rounds.ts';
import { settled } from './scale/settled.ts';

const gateways = 600; // of each fleet
const each = 60;
const rounds = 5;
const moving = 5000;
const staying = 500;
const viewers = 300;
const pace = { perSecond: 4000, seconds: 6 }; // 40 readings of each gateway

/** Measures nodes with embedded brokers that share PostgreSQL, and RabbitMQ as their bus. */
export async function cluster(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  const postgres = await startPostgres({ durable: true });
  try {
    const found = await ofNodes(postgres, join(folder.path, 'nodes'));
    return [...found, ...(await ofSealing(postgres)), ...(await throughRabbit(postgres, join(folder.path, 'rabbit')))];
  } finally {
    await postgres.stop();
  }
}

async function ofNodes(postgres: Postgres, folder: string): Promise<Finding[]> {
  const size = { folder, gateways: 3 * gateways + moving + staying + 1, count: 4 };
  await using nodes = await startNodes(postgres, size);
  const findings: Finding[] = [];
  {
    await using open = new AsyncDisposableStack();
    const fleetOver = (over: number, first: number): Promise<Fleet> =>
      connectFleet(nodes, { logins: nodes.fleet.logins.slice(first, first + gateways), over, open });
    const one = await fleetOver(1, 0);
    const two = await fleetOver(2, gateways);
    const four = await fleetOver(4, 2 * gateways);
    const contenders = { one: () => one.publish(each), two: () => two.publish(each), four: () => four.publish(each) };
    const watched = await withViewers(nodes, two); // first, because opening a stream reads what arrived in the last minute
    await inTurns(2, contenders); // warms up the compiler
    await Promise.all(nodes.nodes.map(settled));
    findings.push(...costRows(await inTurns(rounds, contenders)), ...watched);
    findings.push(...(await countRows(nodes, [one, two, four])));
  }
  return [...findings, ...(await ofFailover(nodes))];
}

const pick = (name: keyof Round, found: readonly Round[]): number[] => found.map((round) => round[name]);

const atMost = (most: number): Goal => ({ of: 'value', atMost: most });

function costRows({ one, two, four }: Record<'one' | 'two' | 'four', Round[]>): Finding[] {
  const alone = { name: 'one node', values: pick('all', one) };
  const ratio = (most: number): Goal => ({ of: 'ratio', atMost: most });
  return [
    measured('two nodes: stored', '/s', pick('stored', two), { of: 'value', atLeast: 30_000 }),
    measured('two nodes: CPU of the platform', 'µs', pick('platform', two)),
    measured('two nodes: CPU of PostgreSQL', 'µs', pick('postgres', two), atMost(5)),
    measured('two nodes: CPU of RabbitMQ', 'µs', pick('rabbit', two)),
    measured('two nodes: CPU in all', 'µs', pick('all', two), atMost(25)),
    compared('two nodes: CPU in all, against one', 'µs', pick('all', two), alone, ratio(1.5)),
    measured('one node: stored', '/s', pick('stored', one)),
    measured('one node: CPU in all', 'µs', pick('all', one)),
    measured('four nodes: stored', '/s', pick('stored', four)),
    compared('four nodes: CPU in all', 'µs', pick('all', four), alone, ratio(1.2)),
  ];
}

/** Half of the viewers are at the node that their gateway is not at. */
async function withViewers(nodes: Nodes, two: Fleet): Promise<Finding[]> {
  await using open = new AsyncDisposableStack();
  const audience = await seatViewers(nodes, { count: viewers, firstSite: gateways, open });
  await Promise.all(nodes.nodes.map(settled)); // until each stream has sent the latest readings
  await two.publish(each);
  await Promise.all(nodes.nodes.map(settled)); // until the first readings of new DERs are in the energy ledger
  const { full } = await inTurns(rounds, { full: () => two.publish(each) });
  await two.pace(pace.perSecond, pace.seconds);
  await audience.tell();
  const paced: { nearMs: number; farMs: number; share: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    await two.pace(pace.perSecond, pace.seconds);
    const { near, far } = await audience.tell();
    paced.push({ nearMs: near.p99Ms, farMs: far.p99Ms, share: far.events / near.events });
  }
  await two.publish(20); // waits for all acknowledgements
  const name = `${viewers} viewers`;
  const figure = (key: keyof (typeof paced)[number]): number[] => paced.map((round) => round[key]);
  return [
    measured(`${name}: stored`, '/s', pick('stored', full)),
    measured(`${name}: CPU of the platform`, 'µs', pick('platform', full)),
    measured(`${name}: CPU of PostgreSQL`, 'µs', pick('postgres', full)),
    measured(`${name}: CPU of RabbitMQ`, 'µs', pick('rabbit', full)),
    measured(`${name}: CPU in all`, 'µs', pick('all', full), atMost(35)),
    measured(`${name}: reading to a viewer on the same node, 99 %`, 'ms', figure('nearMs')),
    measured(`${name}: reading to a viewer on the other node, 99 %`, 'ms', figure('farMs'), atMost(100)),
    measured(`${name}: events on the other node, against the same node`, '×', figure('share')),
  ];
}

/** All that were published are acknowledged by now. */
async function countRows({ databaseUrl }: Nodes, fleets: readonly Fleet[]): Promise<Finding[]> {
  const published = fleets.reduce((sum, fleet) => sum + fleet.published(), 0);
  const stored = await countStored(databaseUrl);
  const missing = {
    ...measured('acknowledged readings that are not stored once', '', [published - stored], atMost(0)),
  };
  return [{ ...missing, against: `${published} acknowledged` }];
}

async function ofFailover({ nodes, fleet }: Nodes): Promise<Finding[]> {
  const [dying, other] = nodes;
  if (!dying || !other) throw new Error('A failover needs two nodes.');
  const logins = fleet.logins.slice(3 * gateways);
  const fleets = {
    moving: logins.slice(0, moving),
    staying: logins.slice(moving, moving + staying),
    probing: logins.at(-1)!,
  };
  const { backSeconds, beforeMs, meanwhileMs } = await measureFailover([dying, other], fleets);
  const calm = { name: 'before', values: [beforeMs] };
  const others = `a node with ${moving} gateways dies: 99 % to acknowledgement of the others meanwhile`;
  return [
    measured(`a node with ${moving} gateways dies: all back`, 's', [backSeconds], atMost(30)),
    compared(others, 'ms', [meanwhileMs], calm),
  ];
}

async function ofSealing(postgres: Postgres): Promise<Finding[]> {
  const { one, two } = await measureSealing(postgres, rounds);
  const rates = (found: typeof one): number[] => found.map(({ perSecond }) => perSecond);
  const alone = { name: 'in one, on one processor', values: rates(one) };
  return [
    compared('sealed in two processes, on two processors', '/s', rates(two), alone, { of: 'ratio', atLeast: 2 }),
    measured(
      'two processors in use while two processes seal',
      '%',
      two.map(({ inUse }) => inUse * 100),
    ),
    measured(
      'a reading sorted and sealed, CPU of the platform',
      'µs',
      two.map(({ sealerUs }) => sealerUs),
    ),
    measured(
      'a reading sorted and sealed, CPU of PostgreSQL',
      'µs',
      two.map(({ postgresUs }) => postgresUs),
    ),
  ];
}

/** The slower shape, in which RabbitMQ's own MQTT is the way in. */
async function throughRabbit(postgres: Postgres, folder: string): Promise<Finding[]> {
  const few = 50; // since RabbitMQ asks the platform about each gateway every 30 s
  await using shape = await startThroughRabbit(postgres, { folder, gateways: few });
  await publish(shape, postgres, 5000);
  const { found } = await inTurns(3, { found: () => publish(shape, postgres, 10_000) });
  const row = (what: string, unit: string, name: keyof (typeof found)[number]): Finding =>
    measured(
      `through RabbitMQ: ${what}`,
      unit,
      found.map((round) => round[name]),
    );
  return [
    row('stored', '/s', 'storedPerSecond'),
    row('CPU of the platform', 'µs', 'platformUs'),
    row('CPU of PostgreSQL', 'µs', 'postgresUs'),
    row('CPU of RabbitMQ', 'µs', 'brokerUs'),
  ];
}
