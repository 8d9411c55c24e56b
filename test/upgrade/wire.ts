import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { generate, type ISubackPacket, type ISubscribePacket, type Packet, parser } from 'mqtt-packet';
import { listenOnLoopback } from '../listen-on-loopback.ts';
import { until } from '../until.ts';

/** The bytes that a gateway and its platform sent each other over one connection, Base64. */
export type Wire = { gateway: string; platform: string };

type Proxy = { url: string; wire(): Wire; close(): void };

/** Forwards connections to a broker, and records their bytes. */
export async function recordWire(mqttUrl: string): Promise<Proxy> {
  const kept: Record<keyof Wire, Buffer[]> = { gateway: [], platform: [] };
  const server = createServer((gateway) => {
    const platform = connect(Number(new URL(mqttUrl).port), '127.0.0.1');
    const pass = (from: keyof Wire, one: Socket, other: Socket): void => {
      one.on('data', (bytes) => {
        kept[from].push(bytes);
        other.write(bytes);
      });
      one.on('error', () => {}).on('close', () => other.destroy());
    };
    pass('gateway', gateway, platform);
    pass('platform', platform, gateway);
  });
  const textOf = (from: keyof Wire): string => Buffer.concat(kept[from]).toString('base64');
  return {
    url: `mqtt://localhost:${await listenOnLoopback(server)}`,
    wire: () => ({ gateway: textOf('gateway'), platform: textOf('platform') }),
    close: () => void server.close(),
  };
}

/** Packets without their place in the stream. */
function packetsOf(text: string): Packet[] {
  const packets: Packet[] = [];
  const incoming = parser().on('packet', (packet) => void packets.push(packet));
  incoming.parse(Buffer.from(text, 'base64'));
  return packets;
}

function readPackets(socket: Socket, onPacket: (packet: Packet) => void): void {
  const incoming = parser().on('packet', onPacket);
  socket.on('error', () => {}).on('data', (bytes) => void incoming.parse(bytes));
}

/** Whether each filter of the SUBSCRIBE packets was granted. */
function grantsOf(asked: readonly Packet[], answered: readonly Packet[]): Record<string, boolean> {
  const subacks = answered.filter((packet): packet is ISubackPacket => packet.cmd === 'suback');
  return Object.fromEntries(
    asked
      .filter((packet): packet is ISubscribePacket => packet.cmd === 'subscribe')
      .flatMap(({ messageId, subscriptions }) => {
        const granted = subacks.find((each) => each.messageId === messageId)?.granted ?? [];
        return subscriptions.map(({ topic }, index) => [topic, Number(granted[index] ?? 128) < 128] as const);
      }),
  );
}

/** Numbers of the samples that acknowledgements name. */
function acknowledgedBy(packets: readonly Packet[]): number[] {
  const numbers = packets.flatMap((packet) => {
    if (packet.cmd !== 'publish' || !packet.topic.endsWith('/telemetry/ack')) return [];
    const { acked } = JSON.parse(packet.payload.toString()) as { acked: [number, number][] };
    return acked.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
  });
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}

const isPublished = (packet: Packet): boolean => packet.cmd === 'publish' && packet.qos === 1;
const count = (packets: readonly Packet[], isCounted: (packet: Packet) => boolean): number =>
  packets.filter(isCounted).length;

/** Returns which subscriptions a platform granted and which samples it acknowledged. */
export const answersOf = ({ gateway, platform }: Wire) => {
  const [asked, answered] = [packetsOf(gateway), packetsOf(platform)];
  return { granted: grantsOf(asked, answered), acknowledged: acknowledgedBy(answered) };
};

/** Sends the packets of a recorded gateway to a platform, and returns its answers. */
export async function playGateway(mqttUrl: string, wire: Wire): Promise<ReturnType<typeof answersOf>> {
  const asked = packetsOf(wire.gateway).filter(({ cmd }) => cmd !== 'disconnect');
  const answered: Packet[] = [];
  const expected = answersOf(wire).acknowledged.length;
  const socket = connect(Number(new URL(mqttUrl).port), '127.0.0.1');
  await once(socket, 'connect');
  readPackets(socket, (packet) => void answered.push(packet));
  const [login, ...rest] = asked;
  socket.write(generate(login!));
  await until(() => answered.some((packet) => packet.cmd === 'connack' && packet.returnCode === 0));
  for (const packet of rest) socket.write(generate(packet));
  await until(() => count(answered, ({ cmd }) => cmd === 'puback') === count(asked, isPublished));
  await until(() => acknowledgedBy(answered).length >= expected);
  socket.destroy();
  return { granted: grantsOf(asked, answered), acknowledged: acknowledgedBy(answered) };
}

/** Plays a recorded platform: it grants the same subscriptions, no others, and sends the same acknowledgements. */
export async function startRecordedPlatform(wire: Wire): Promise<{ url: string; close(): void }> {
  const granted = grantsOf(packetsOf(wire.gateway), packetsOf(wire.platform));
  const samples = answersOf(wire).acknowledged.length;
  const acknowledgements = packetsOf(wire.platform).filter(({ cmd }) => cmd === 'publish');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = 0;
    readPackets(socket, (packet) => {
      const messageId = packet.messageId!;
      if (packet.cmd === 'connect') socket.write(generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }));
      if (packet.cmd === 'pingreq') socket.write(generate({ cmd: 'pingresp' }));
      if (packet.cmd === 'subscribe') {
        const codes = packet.subscriptions.map(({ topic }) => (granted[topic] ? 1 : 128));
        socket.write(generate({ cmd: 'suback', messageId, granted: codes }));
      }
      if (packet.cmd !== 'publish') return;
      if (packet.qos === 1) socket.write(generate({ cmd: 'puback', messageId }));
      if (packet.topic.includes('/telemetry/')) received++;
      if (received === samples) for (const each of acknowledgements) socket.write(generate(each));
    });
  });
  const port = await listenOnLoopback(server);
  return {
    url: `mqtt://localhost:${port}`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
