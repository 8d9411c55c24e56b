import { cp, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCloudServer } from './cloud-server.ts';
import { enrolFleet, type Login } from './fleet/enrol.ts';
import { type Generator, startGenerator } from './fleet/start-generator.ts';
import { type Cost, costOf } from './ingest/cost.ts';
import { fillHot } from './ingest/fill-hot.ts';
import { httpContenders } from './ingest/http-writers.ts';
import { mosquittoContender } from './ingest/mosquitto.ts';
import { compared, type Finding, measured } from './measure/finding.ts';
import { inTurns } from './measure/rounds.ts';
import { type ServerProcess, startServer } from './measure/server-process.ts';
import { reach } from './reach.ts';

const gateways = 1000;
const each = 60;
const rounds = 7;
const stored = 200_000;
const mosquittoName = 'Mosquitto with a consumer that counts';

/** Measures readings published with QoS 1 until each is committed and acknowledged, against the broker alone and other systems. */
export async function ingest(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  const [few, many, none] = ['few', 'many', 'none'].map((name) => join(folder.path, name)) as [string, string, string];
  await using open = new AsyncDisposableStack();
  const fleets = { few: await world(few, 1), many: await world(many, 10) };
  await cp(few, none, { recursive: true });

  const broker = open.use(await startServer(import.meta.resolve('./servers/broker.ts'), { env: { DATA_DIR: none } }));
  const platform = open.use(await startCloudServer(few));
  const large = open.use(await startCloudServer(many));
  const publisherTo = async (server: ServerProcess, logins: Login[]) =>
    publisher(server, open.use(await startGenerator(server, logins)));
  const contenders: Record<string, () => Promise<Cost>> = {
    bare: await publisherTo(broker, fleets.few),
    ours: await publisherTo(platform, fleets.few),
    large: await publisherTo(large, fleets.many),
  };
  const mosquitto = await mosquittoContender(folder.path, open, { logins: fleets.few, each });
  if (mosquitto) contenders[mosquittoName] = mosquitto;
  for (const [name, write] of await httpContenders(folder.path, open, { ders: gateways, each })) {
    contenders[name] = write;
  }
  await inTurns(2, contenders); // warms up the compiler
  return findingsOf(await inTurns(rounds, contenders));
}

/** Creates a registry with `times` as many sites as gateways, and as many times the samples. */
async function world(dataDir: string, times: number): Promise<Login[]> {
  const { logins } = await enrolFleet(dataDir, { sites: times * gateways, gateways });
  await fillHot(dataDir, times * stored);
  return logins;
}

const publisher = (server: ServerProcess, generator: Generator) => () =>
  costOf(server.usage, async () => (await generator.publish(each)).messages);

function findingsOf({ bare, ours, large, ...peers }: Record<string, Cost[]>): Finding[] {
  const pick = (costs: Cost[] | undefined, name: keyof Cost): number[] => costs!.map((cost) => cost[name]);
  const against = (name: keyof Cost) => ({ name: 'broker alone', values: pick(bare, name) });
  const beyond = (name: 'cpuUs' | 'loopUs'): number[] => ours!.map((cost, round) => cost[name] - bare![round]![name]);
  const smaller = { name: `${gateways} sites, ${stored} samples`, values: pick(ours, 'cpuUs') };
  const taken = pick(ours, 'perSecond');
  const share = compared(reach.ingest, '/s', taken, against('perSecond'), { of: 'ratio', atLeast: 0.85 });
  return [
    { ...measured(reach.ingest, '/s', taken, { of: 'value', atLeast: 15_000 }), part: 'messages' },
    { ...share, part: 'against the same broker that stores nothing' },
    ...Object.entries(peers).map(([name, costs]) => ({
      ...compared(reach.ingest, '/s', taken, { name, values: pick(costs, 'perSecond') }),
      part: `against ${name}`,
    })),
    compared('a message, CPU of the process', 'µs', pick(ours, 'cpuUs'), against('cpuUs')),
    ...Object.entries(peers).map(([name, costs]) =>
      compared('a message, CPU of the process', 'µs', pick(ours, 'cpuUs'), { name, values: pick(costs, 'cpuUs') }),
    ),
    compared('a message, CPU of the event loop', 'µs', pick(ours, 'loopUs'), against('loopUs')),
    measured('a message, CPU beyond that of the broker', 'µs', beyond('cpuUs'), { of: 'value', atMost: 12 }),
    measured('a message, CPU of the event loop beyond', 'µs', beyond('loopUs')),
    compared('a message, CPU, with ten times the sites and samples', 'µs', pick(large, 'cpuUs'), smaller, {
      of: 'ratio',
      atMost: 1.5,
    }),
  ];
}
