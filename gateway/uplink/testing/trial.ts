import type { TestContext } from 'node:test';
import type { TlsOptions } from 'node:tls';
import type { Client, PublishPacket } from 'aedes';
import { telemetryAckTopic } from '#contract/topics.ts';
import { monotonicClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { startMqttBroker } from '#test/services/mqtt-broker.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { createLogStream } from '../log-stream.ts';
import { openUplink, type UplinkDeps } from '../uplink.ts';

export const serial = 'ohm-0123456789abcdef';

type Login = {
  clientId: string;
  username: string | undefined;
  password: string | undefined;
  will: string | undefined;
  /** s */
  keepalive: number | undefined;
};

/** Starts a broker that accepts every client, records messages and, by default, acknowledges samples like a platform. */
export async function startBroker({ acknowledges = true, tls }: { acknowledges?: boolean; tls?: TlsOptions } = {}) {
  const logins: Login[] = [];
  const messages: { topic: string; text: string }[] = [];
  const { aedes, port, cut, close } = await startMqttBroker({
    tls,
    preConnect(_, { clientId, username, password, will, keepalive }, done) {
      logins.push({ clientId, username, password: password?.toString(), will: will?.payload.toString(), keepalive });
      done(null, true);
    },
  });
  aedes.on('publish', ({ topic, payload }, client) => {
    if (!client) return;
    messages.push({ topic, text: payload.toString() });
    if (acknowledges && topic.includes('/telemetry/json')) acknowledge(JSON.parse(payload.toString()).seq);
  });
  const publish = (packet: Partial<PublishPacket> & { topic: string; payload: string }): void =>
    aedes.publish({ cmd: 'publish', qos: 1, retain: false, dup: false, ...packet }, () => {});
  const present = new Set<Client>();
  aedes.on('client', (client) => void present.add(client));
  aedes.on('clientDisconnect', (client) => void present.delete(client));
  const acknowledge = (seq: number): void =>
    publish({ topic: telemetryAckTopic(serial), payload: JSON.stringify({ acked: [[seq, seq]] }) });

  return {
    port,
    url: `${tls ? 'mqtts' : 'mqtt'}://localhost:${port}`,
    logins,
    messages,
    /** the numbers of the received samples */
    samples: (): number[] =>
      messages.filter(({ topic }) => topic.includes('/telemetry/')).map(({ text }) => JSON.parse(text).seq),
    publish,
    /** Sends to every client, subscribed or not. */
    force(packet: { topic: string; payload: string; retain?: boolean }): void {
      for (const client of present) {
        client.publish({ cmd: 'publish', qos: 0, retain: false, dup: false, ...packet }, () => {});
      }
    },
    acknowledge,
    cut,
    close,
  };
}

/** Opens an uplink with short intervals. */
export async function openTrialUplink(t: TestContext, changes: Partial<UplinkDeps> = {}) {
  const lines: string[] = [];
  const logStream = createLogStream(changes.serial ?? serial);
  const destination = {
    write(line: string) {
      lines.push(line);
      logStream.write(line);
    },
  };
  const uplink = await openUplink({
    serial,
    version: '1.2.3',
    platform: 'test',
    dataDir: temporaryFolder(t),
    boot: 'test',
    brokerToken: async () => 'a-fresh-token',
    devices: () => [{ sn: 'INV-1', connected: true, ders: ['pv'] }],
    onCommand: () => {},
    clock: { now: () => Date.parse('2026-06-01T12:00:00Z') },
    monotonic: monotonicClock,
    logStream,
    log: createLog({ level: 'debug', name: 'test', destination }),
    ...changes,
    limits: { commitMs: 2, upkeepMs: 20, minMs: 10, maxMs: 50, ...changes.limits },
  });
  return { uplink, lines, logStream };
}
