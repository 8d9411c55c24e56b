import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync, type MqttClient } from 'mqtt';
import { kill } from '../end-process.ts';
import { until } from '../until.ts';

/** A gateway that connects to the first of the addresses, and to the next when the connection is lost. */
export function connectGateway(serial: string, urls: readonly string[]): Promise<MqttClient> {
  const servers = urls.map((address) => {
    const { hostname, port } = new URL(address);
    return { protocol: 'mqtt' as const, host: hostname, port: Number(port) };
  });
  return connectAsync({
    servers,
    clientId: serial,
    username: serial,
    password: 'token',
    protocolVersion: 4,
    reconnectPeriod: 250,
    connectTimeout: 5_000,
    keepalive: 10,
  });
}

type Crowd = {
  /** Messages that the broker acknowledged. */
  readonly acknowledged: ReadonlySet<string>;
  /** Pause between two messages of a publisher; none at first. */
  restMs: number;
  publishesMore(count: number): Promise<void>;
  /** Returns the number of published messages. */
  stop(): Promise<number>;
};

/** Gateways that publish, each with four messages in flight, until they are stopped. */
export function startCrowd(gateways: readonly MqttClient[], topic: string): Crowd {
  const acknowledged = new Set<string>();
  const over = new AbortController();
  let published = 0;
  async function publishOn(gateway: MqttClient): Promise<void> {
    while (!over.signal.aborted) {
      const text = `message ${published++}`;
      await gateway.publishAsync(topic, text, { qos: 1 });
      acknowledged.add(text);
      if (crowd.restMs > 0) await sleep(crowd.restMs);
    }
  }
  const crowd: Crowd = {
    acknowledged,
    restMs: 0,
    async publishesMore(count) {
      const enough = acknowledged.size + count;
      await until(() => acknowledged.size >= enough);
    },
    async stop() {
      over.abort();
      await publishing;
      return published;
    },
  };
  const publishing = Promise.all(gateways.flatMap((gateway) => Array.from({ length: 4 }, () => publishOn(gateway))));
  publishing.catch(() => over.abort()); // reported by stop
  return crowd;
}

const script = `
const [transport, options] = process.argv.slice(1);
const { createRabbitTransport } = await import(transport);
const { createLog } = await import(import.meta.resolve('#lib/log.ts'));
const silent = createLog({ level: 'silent', name: 'test' });
await createRabbitTransport({ ...JSON.parse(options), log: silent, clock: Date }).start({
  message: ({ payload }) => new Promise(() => console.log(Buffer.from(payload).toString())),
  presence() {},
});
console.log('started');
`;

/** A platform process that receives messages and never stores one; `taken` are those it has. */
export async function startStuckProcess(options: { urls: string[]; managementUrls: string[] }) {
  const transport = import.meta.resolve('../../cloud/broker/rabbitmq.ts');
  const args = ['--input-type=module', '-e', script, transport, JSON.stringify(options)];
  const child = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] });
  const taken: string[] = [];
  const lines = createInterface(child.stdout);
  await once(lines, 'line');
  lines.on('line', (line) => taken.push(line));
  return { taken, kill: () => kill(child) };
}
