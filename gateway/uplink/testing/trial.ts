import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { Aedes, type PublishPacket } from 'aedes';
import { telemetryAckTopic } from '#contract/topics.ts';
import { monotonicClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { LogStream } from '../log-stream.ts';
import { openUplink, type UplinkDeps } from '../uplink.ts';

export const serial = 'ohm-0123456789abcdef';

type Login = { clientId: string; username: string | undefined; password: string | undefined; will: string | undefined };

/** A broker that takes everybody, remembers what it was told, and acknowledges samples like a platform if it is to. */
export async function startBroker({ acknowledges = true, tls }: { acknowledges?: boolean; tls?: object } = {}) {
  const aedes = await Aedes.createBroker();
  const logins: Login[] = [];
  const messages: { topic: string; text: string }[] = [];
  const sockets = new Set<Socket>();

  aedes.preConnect = (_, { clientId, username, password, will }, done) => {
    logins.push({ clientId, username, password: password?.toString(), will: will?.payload.toString() });
    done(null, true);
  };
  aedes.on('publish', ({ topic, payload }, client) => {
    if (!client) return;
    messages.push({ topic, text: payload.toString() });
    if (acknowledges && topic.includes('/telemetry/json')) acknowledge(JSON.parse(payload.toString()).seq);
  });
  const publish = (packet: Partial<PublishPacket> & { topic: string; payload: string }): void =>
    aedes.publish({ cmd: 'publish', qos: 1, retain: false, dup: false, ...packet }, () => {});
  const acknowledge = (seq: number): void =>
    publish({ topic: telemetryAckTopic(serial), payload: JSON.stringify({ acked: [[seq, seq]] }) });

  const accept = (socket: Socket): void => {
    sockets.add(socket.on('error', () => {}));
    aedes.handle(socket);
  };
  const server: Server = tls ? createTlsServer(tls, accept) : createServer(accept);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${tls ? 'mqtts' : 'mqtt'}://localhost:${(server.address() as AddressInfo).port}`,
    logins,
    messages,
    /** the samples that came, as their numbers */
    samples: (): number[] =>
      messages.filter(({ topic }) => topic.includes('/telemetry/')).map(({ text }) => JSON.parse(text).seq),
    publish,
    acknowledge,
    cut: () => sockets.forEach((socket) => void socket.destroy()),
    async close(): Promise<void> {
      server.close();
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => aedes.close(resolve));
    },
  };
}

/** An uplink in quick motion. */
export async function openTrialUplink(changes: Partial<UplinkDeps> = {}) {
  const dataDir = changes.dataDir ?? (await mkdtemp(join(tmpdir(), 'ohmstead-uplink-')));
  const lines: string[] = [];
  const logStream = new LogStream(changes.serial ?? serial);
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
    dataDir,
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
  return {
    uplink,
    lines,
    logStream,
    async done(): Promise<void> {
      await uplink.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
