import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '#test/services/postgres.ts';
import { publish, type Round } from './cluster/publish.ts';
import { startAlone } from './cluster/start-alone.ts';
import { startCluster } from './cluster/start-cluster.ts';
import { compared, type Finding, type Goal, measured } from './measure/finding.ts';
import { inTurns } from './measure/rounds.ts';
import { reach } from './reach.ts';

const messages = 20_000;
const few = 50; // since RabbitMQ asks the platform about each gateway every 30 s
const many = 500; // so that enough messages are in flight while a batch is committed
const rounds = 5;

/** Measures readings through RabbitMQ and two processes into PostgreSQL, against one process with the embedded broker. */
export async function cluster(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  await using open = new AsyncDisposableStack();
  const postgres = await startPostgres({ durable: true });
  open.defer(() => postgres.stop());
  const two = open.use(await startCluster(postgres, { folder: join(folder.path, 'two'), gateways: few, nodes: 1 }));
  const one = open.use(await startAlone(postgres, { folder: join(folder.path, 'one'), gateways: many }));
  const contenders = { two: () => publish(two, postgres, messages), one: () => publish(one, postgres, messages) };
  await inTurns(2, contenders); // warms up the compiler
  return findingsOf(await inTurns(rounds, contenders));
}

function findingsOf({ two, one }: Record<'two' | 'one', Round[]>): Finding[] {
  const told = (part: string, unit: string, name: keyof Round, goal?: Goal): Finding => {
    const pick = (found: Round[]): number[] => found.map((round) => round[name]);
    const against = { name: 'one process, embedded broker', values: pick(one) };
    return { ...compared(reach.cluster, unit, pick(two), against, goal), part };
  };
  return [
    told('stored in PostgreSQL', '/s', 'storedPerSecond', { of: 'value', atLeast: 5000 }),
    told('acknowledged', '/s', 'acknowledgedPerSecond'),
    told('a message, CPU of the platform', 'µs', 'platformUs'),
    {
      ...measured(
        reach.cluster,
        'µs',
        two.map(({ brokerUs }) => brokerUs),
      ),
      part: 'a message, CPU of RabbitMQ, one node',
    },
    told('a message, CPU of PostgreSQL', 'µs', 'postgresUs'),
  ];
}
