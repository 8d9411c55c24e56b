import { connect as openSocket } from 'node:net';
import { mayPublish, maySubscribe } from '#cloud/broker/admission.ts';
import { createEmbeddedBroker } from '#cloud/broker/embedded.ts';
import type { Admission } from '#cloud/broker/transport.ts';
import { hourMs } from '#contract/time.ts';
import { stateTopic, telemetryTopic } from '#contract/topics.ts';
import { createRandom, damage, type Random } from '#gateway/p1/testing/fuzz-damage.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { connectOnce } from '../cloud/gateway-client.ts';
import type { FuzzReport } from './fuzz-report.ts';
import {
  answerPacket,
  connectPacket,
  disconnectPacket,
  pingPacket,
  publishPacket,
  subscribePacket,
  unsubscribePacket,
} from './mqtt-packets.ts';

const own = 'ohm-0123456789abcdef';
const other = 'ohm-fedcba9876543210';
const password = 'the right password';
const atOnce = 16;
const patienceMs = 2000;
const limits = { connectsPerMinute: 1e9, connectMs: 1000 };

type Rights = Pick<Admission, 'mayPublish' | 'maySubscribe'>;

/** Damaged packets on the socket of the broker: it keeps serving, and receives only what the sender may publish. */
export async function fuzzBroker(
  seed: number,
  cases: number,
  rights: Rights = { mayPublish, maySubscribe },
): Promise<FuzzReport> {
  const random = createRandom(seed);
  const report: FuzzReport = { cases, frames: 0, wrong: [], slowestMs: 0 };
  const broker = createEmbeddedBroker({
    admission: {
      platformMessage: () => '{}',
      login: async (login) =>
        login.username === own && login.password === password
          ? { client: { kind: 'gateway', serial: own }, expiresAt: systemClock.now() + hourMs }
          : undefined,
      renew: async (client) => client,
      ...rights,
    },
    host: '127.0.0.1',
    mqttPort: 0,
    mayMove: false,
    limits,
    clock: systemClock,
    log: createLog({ level: 'silent', name: 'fuzz' }),
  });
  await broker.start({
    async message({ topic }) {
      report.frames++;
      if (!isOwn(topic)) report.wrong.push(`heard ${JSON.stringify(topic)}`);
      return true;
    },
    presence() {},
  });
  try {
    const port = Number(new URL(broker.urls.mqtt!).port);
    for (let done = 0; done < cases; done += atOnce) {
      const streams = Array.from({ length: Math.min(atOnce, cases - done) }, () => someStream(random));
      const waits = await Promise.all(streams.map((stream) => talk(port, stream)));
      report.slowestMs = Math.max(report.slowestMs, ...waits.map(({ longestMs }) => longestMs));
      for (const { isHanging, stream } of waits) {
        if (isHanging) report.wrong.push(`does not end a connection after ${stream.toString('hex').slice(0, 400)}`);
      }
    }
    if (!(await stillServes(broker.urls.mqtt!))) report.wrong.push('serves nobody afterwards');
  } finally {
    await broker.close();
  }
  return report;
}

/** Below the serial of the sender, and without special characters. */
const isOwn = (topic: string): boolean => topic.split('/')[1] === own && !/[+#\0]/.test(topic);

function someStream(random: Random): Buffer {
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const topic = (): string =>
    pick([
      telemetryTopic(own, 'INV-1', 'pv'),
      telemetryTopic(other, 'INV-1', 'pv'),
      stateTopic(own),
      `control/${own}/battery/x/ems/commands`,
      '$SYS/x',
      'gateways/+/state/json/v1',
      `gateways/${own}/../${other}/x`,
    ]);
  const packets: (() => Buffer)[] = [
    () => publishPacket({ topic: topic(), payload: '{"W":1}', qos: pick([0, 1, 2]), id: random.below(65_536) }),
    () => publishPacket({ topic: topic(), payload: 'x', qos: 1, id: 7, isRetained: true }),
    () => subscribePacket(pick(['#', '+/#', `control/${own}/#`, '$share/a/#', '$SYS/#']), 1 + random.below(9)),
    () => unsubscribePacket('#', 1 + random.below(9)),
    () => answerPacket(pick([4, 5, 6, 7]), random.below(65_536)),
    () => pingPacket,
    () => disconnectPacket,
    () => connectPacket({ clientId: own, username: own, password }),
  ];
  const login = connectPacket({
    clientId: `${own}-${random.below(1_000_000)}`,
    username: random.below(8) ? own : other,
    password: random.below(8) ? password : 'a wrong one',
    ...(random.below(4) === 0 && { will: { topic: topic(), payload: 'gone' } }),
  });
  const rest = Buffer.concat(Array.from({ length: random.below(6) }, () => pick(packets)()));
  // Mostly a client that is admitted and then sends nonsense; sometimes nonsense from the start.
  return random.below(4) ? Buffer.concat([login, damage(rest, random)]) : damage(Buffer.concat([login, rest]), random);
}

type Talked = { stream: Buffer; isHanging: boolean; longestMs: number };

/** Sends everything and closes its side; the broker has to close its own. */
function talk(port: number, stream: Buffer): Promise<Talked> {
  const began = performance.now();
  return new Promise((resolve) => {
    const socket = openSocket(port, '127.0.0.1', () => socket.end(stream));
    const done = (isHanging: boolean): void => {
      clearTimeout(impatience);
      socket.destroy();
      resolve({ stream, isHanging, longestMs: performance.now() - began });
    };
    const impatience = setTimeout(() => done(true), patienceMs);
    socket.resume();
    socket.on('error', () => {}); // a reset ends a connection too
    socket.on('close', () => done(false));
  });
}

async function stillServes(url: string): Promise<boolean> {
  const client = await connectOnce(url, { clientId: own, username: own, password });
  try {
    await client.publishAsync(stateTopic(own), '{}', { qos: 1 });
    return true;
  } finally {
    await client.endAsync(true);
  }
}
