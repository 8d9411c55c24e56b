import type { Client as MqttClient } from 'aedes';
import { parseGatewayTopic } from '#contract/topics.ts';
import type { Admission, BrokerClient, Message } from '../transport.ts';
import { type BrokerConnection, type ConnectionOwner, keepsPace, releaseUnstored } from './connection.ts';
import { type BrokerLimits, weightOf } from './limits.ts';

type LaneDeps = {
  admission: Admission;
  limits: BrokerLimits;
  receive(message: Message): Promise<unknown>;
};

type Batch = { stored: Promise<unknown>; ids: number[]; weight: number };

/** Takes the packets it can handle from a chunk and returns the rest. */
export type Lane = (connection: BrokerConnection, chunk: Buffer, isAtPacket: boolean) => Buffer | null;

const maxHeldBytes = 16 * 1024; // of an incomplete message; aedes collects longer ones

/** Handles PUBLISH with QoS 1 and a known topic before aedes, which gets the first other packet and all that follows. */
export function createPublishLane({ admission, limits, receive }: LaneDeps): Lane {
  /** Returns where the first packet begins that is left to aedes. */
  function takeAll(connection: BrokerConnection, chunk: Buffer, gateway: BrokerClient, owner: ConnectionOwner): number {
    const now = performance.now();
    let batch: Batch | undefined;
    let at = 0;
    while (at < chunk.length) {
      const packet = readPublish(chunk, at);
      if (packet === 'partial' && chunk.length - at <= maxHeldBytes) {
        connection.partial = chunk.subarray(at);
        at = chunk.length;
      }
      if (!packet || packet === 'partial') break;
      const { id, topic, payload, end } = packet;
      const weight = weightOf(payload);
      if (id === 0 || !parseGatewayTopic(topic) || !admission.mayPublish(gateway, topic)) break;
      if (!keepsPace(owner, weight, limits.messagesPerSecond, now)) break;
      const stored = receive({ topic, payload });
      if (batch?.stored !== stored) {
        if (batch) settle(connection, batch, owner);
        batch = { stored, ids: [], weight: 0 };
      }
      batch.ids.push(id);
      batch.weight += weight;
      owner.unstored += weight;
      at = end;
    }
    if (batch) settle(connection, batch, owner);
    return at;
  }

  return (connection, read, isAtPacket) => {
    const { client, owner, isReady, partial, mqtt } = connection;
    if (client?.kind !== 'gateway' || !owner || !isReady || !(isAtPacket || partial)) return read;
    const chunk = partial ? Buffer.concat([partial, read]) : read;
    connection.partial = undefined;
    try {
      const taken = takeAll(connection, chunk, client, owner);
      if (taken > 0) keepAlive(mqtt);
      return taken === chunk.length ? null : chunk.subarray(taken);
    } catch (error) {
      mqtt.emit('error', error); // ends this connection; thrown here it would end the process
      return null;
    }
  };
}

function settle(connection: BrokerConnection, { stored, ids, weight }: Batch, owner: ConnectionOwner): void {
  stored.then(
    () => {
      if (connection.storedIds) connection.storedIds.push(...ids);
      else {
        connection.storedIds = ids;
        process.nextTick(acknowledge, connection);
      }
      releaseUnstored(owner, weight);
    },
    (error: unknown) => {
      connection.mqtt.emit('error', error);
      releaseUnstored(owner, weight);
    },
  );
}

/** Acknowledges all messages that were stored in this turn with one write. */
function acknowledge(connection: BrokerConnection): void {
  const { stream, storedIds = [] } = connection;
  connection.storedIds = undefined;
  if (stream.writable && !stream.write(acknowledgements(storedIds))) stream.once('drain', () => connection.resume());
}

/** Restarts the keep-alive timer of aedes, which does not see these packets. Clients without keep-alive have no timer. */
const keepAlive = (mqtt: MqttClient): void =>
  void (mqtt as MqttClient & { _keepaliveTimer: NodeJS.Timeout | null })._keepaliveTimer?.refresh();

type PublishPacket = {
  id: number;
  topic: string;
  payload: Buffer;
  end: number;
};

const publishQos1 = 0x32;
const kindAndQos = 0xf6; // without the flags RETAIN and DUP
const maxLengthBytes = 4; // MQTT 3.1.1, 2.2.3

/** Reads the packet that begins here: undefined if it is another packet or malformed, 'partial' if its end is missing. */
function readPublish(chunk: Buffer, begin: number): PublishPacket | 'partial' | undefined {
  if ((chunk[begin]! & kindAndQos) !== publishQos1) return undefined;
  let at = begin + 1;
  let length = 0;
  for (let digit = 0; ; digit++) {
    if (at === chunk.length) return 'partial';
    const byte = chunk[at++]!;
    length += (byte & 0x7f) << (7 * digit);
    if (byte < 0x80) break;
    if (digit === maxLengthBytes - 1) return undefined;
  }
  const end = at + length;
  if (end > chunk.length) return 'partial';
  const topicAt = at + 2;
  const idAt = topicAt + ((chunk[at]! << 8) | chunk[at + 1]!);
  if (length < 4 || idAt + 2 > end) return undefined;
  const id = (chunk[idAt]! << 8) | chunk[idAt + 1]!;
  const topic = chunk.toString('utf8', topicAt, idAt);
  return { id, topic, payload: chunk.subarray(idAt + 2, end), end };
}

const pubackBytes = 4;

function acknowledgements(ids: readonly number[]): Buffer {
  const packets = Buffer.allocUnsafe(ids.length * pubackBytes);
  for (const [i, id] of ids.entries()) packets.writeUInt32BE(0x4002_0000 + id, i * pubackBytes);
  return packets;
}
