import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { planNodes, type RabbitNode, writeNode } from './rabbitmq-node.ts';

export type Rabbit = {
  folder: string;
  amqpUrls: string[];
  mqttUrls: string[];
  managementUrls: string[];
  /** Kills a node. Nodes are counted from 0. */
  kill(node: number): Promise<void>;
  start(node: number): Promise<void>;
  /** The node that leads a quorum queue. */
  leaderOf(queue: string): Promise<number>;
  stop(): Promise<void>;
};

const program = '/usr/lib/rabbitmq/bin/rabbitmq-server';

// Obeys `start <folder>` and `kill <folder>` while its standard input is open; then everything ends, including the
// port mapper of Erlang (epmd), which otherwise outlives its nodes.
const supervisor = `
folder=$1 program=$2
cd "$folder"
trap '' PIPE # nobody may be left to hear the answer
epmd >epmd.log 2>&1 &
epmd=$!
start() {
  (set -a; . "./$1/environment"; exec "$program") </dev/null >>"$1/log" 2>&1 &
  eval "$1=$!"
}
end() {
  eval "pid=\\\${$1:-}; $1="
  [ -z "$pid" ] || { kill -KILL $pid; wait $pid; }
} 2>/dev/null
while read -r verb node; do
  case $verb in start) start "$node" ;; kill) end "$node" ;; esac
  echo "$verb $node"
done
for node in node1 node2 node3; do end $node; done
kill -KILL $epmd
cd / && rm -rf "$folder"
`;

export type RabbitOptions = { nodes: 1 | 3; authUrl: string; internalToken?: string };

const bootTries = 3;
const silenceMs = 60_000; // a starting node writes to its log every few seconds, less often on a busy machine

/** A private cluster in a temporary folder, configured by the files in deploy/rabbitmq. */
export async function startRabbit(options: RabbitOptions): Promise<Rabbit> {
  for (let tries = 1; ; tries++) {
    try {
      return await bootCluster(options);
    } catch (error) {
      if (tries === bootTries) throw error;
      console.error(error); // and again from scratch, on other ports
    }
  }
}

async function bootCluster({ nodes: count, authUrl, internalToken = 'internal' }: RabbitOptions): Promise<Rabbit> {
  const folder = mkdtempSync(join(tmpdir(), 'ohmstead-rabbitmq-'));
  const secret = () => randomBytes(12).toString('hex');
  const nodes = await planNodes(count, secret().slice(0, 8));
  const [user, password] = ['platform', secret()];
  const names = nodes.map(({ name }) => name);
  writeFileSync(join(folder, '.erlang.cookie'), secret(), { mode: 0o400 });
  for (const node of nodes) writeNode(folder, node, { authUrl, token: internalToken, user, password, names });

  const child = spawn('/bin/sh', ['-c', supervisor, 'rabbitmq-supervisor', folder, program], {
    cwd: '/',
    detached: true, // a Ctrl-C in the terminal must reach this process first
    env: {
      HOME: folder, // where the nodes find their cookie
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      ERL_EPMD_PORT: String(await freePort()),
      ERL_EPMD_ADDRESS: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const handles = [child, child.stdin, child.stdout] as unknown as Pick<Socket, 'ref' | 'unref'>[];
  for (const handle of handles) handle.unref(); // a forgotten cluster does not keep a test process running
  const obeyed = new Set<string>();
  createInterface(child.stdout).on('line', (order) => obeyed.add(order));
  const order = async (verb: 'start' | 'kill', node: RabbitNode): Promise<void> => {
    const line = `${verb} ${node.folder}`;
    obeyed.delete(line);
    child.stdin.write(`${line}\n`);
    while (!obeyed.has(line)) await sleep(10);
  };
  const stop = async () => {
    for (const handle of handles) handle.ref();
    child.stdin.end();
    await ended;
  };

  const urls = (scheme: string, port: 'amqp' | 'mqtt' | 'management', account = '') =>
    nodes.map((node) => `${scheme}://${account}127.0.0.1:${node[port]}`);
  const managementUrls = urls('http', 'management', `${user}:${password}@`);
  /** The first acceptable answer; the nodes find one another and their queues within some seconds. */
  const askUntil = async <Answer>(path: string, willDo: (answer: Answer) => boolean): Promise<Answer> => {
    const deadline = AbortSignal.timeout(20_000);
    for (;;) {
      const answer = await askAny<Answer>(managementUrls, path).catch(() => undefined);
      if (answer !== undefined && willDo(answer)) return answer;
      deadline.throwIfAborted();
      await sleep(100);
    }
  };
  const start = async (index: number): Promise<void> => {
    await order('start', nodes[index]!);
    const log = join(folder, nodes[index]!.folder, 'log');
    const began = Date.now();
    const lastWordAt = () => Math.max(began, statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? began);
    while (!(await isUp(nodes[index]!))) {
      if (Date.now() - lastWordAt() > silenceMs) {
        throw new Error(`RabbitMQ does not start. End of its log: ${readFileSync(log, 'utf8').slice(-2_000)}`);
      }
      await sleep(100);
    }
  };

  try {
    // One after another: when they start for the first time all at once, MQTT may stay closed on one of them.
    for (const index of nodes.keys()) await start(index);
    await askUntil<unknown[]>('nodes', ({ length }) => length === count);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    folder,
    amqpUrls: urls('amqp', 'amqp', `${user}:${password}@`),
    mqttUrls: urls('mqtt', 'mqtt'),
    managementUrls,
    kill: (index) => order('kill', nodes[index]!),
    start,
    async leaderOf(queue) {
      const path = `queues/%2F/${encodeURIComponent(queue)}`;
      const { leader } = await askUntil<{ leader?: string }>(path, ({ leader }) => leader !== undefined);
      return names.indexOf(leader!);
    },
    stop,
  };
}

const missing = `RabbitMQ is not installed (no ${program}).`;

/** The reason to skip a test, or false. In CI nothing is skipped: a missing broker is a failure. */
export function rabbitMissing(): string | false {
  if (existsSync(program)) return false;
  if (process.env.CI) throw new Error(missing);
  return missing;
}

const isUp = async (node: RabbitNode): Promise<boolean> =>
  (await Promise.all([node.amqp, node.mqtt, node.management].map(listens))).every(Boolean);

const listens = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const socket = connect(port, '127.0.0.1');
    socket
      .once('error', () => answer(false))
      .once('connect', () => {
        socket.destroy();
        answer(true);
      });
  });

/** The first node that answers. */
async function askAny<Answer>(managementUrls: string[], path: string): Promise<Answer> {
  const asked = managementUrls.map(async (address) => {
    const { username, password, origin } = new URL(address);
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const reply = await fetch(`${origin}/api/${path}`, { headers: { authorization } });
    if (!reply.ok) throw new Error(`RabbitMQ answered ${reply.status} to ${path}.`);
    return (await reply.json()) as Answer;
  });
  return Promise.any(asked);
}
