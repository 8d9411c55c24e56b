import type { Client as MqttClient } from 'aedes';
import { parseGatewayTopic } from '#contract/topics.ts';
import type { Admission, BrokerClient, Message } from '../transport.ts';
import type { BrokerConnection, ConnectionOwner } from './connection.ts';
import { keepsPace, releaseUnstored } from './connection.ts';
import { type BrokerLimits, weightOf } from './limits.ts';

type LaneDeps = {
  admission: Admission;
  limits: BrokerLimits;
  receive(message: Message): Promise<unknown>;
};

/** Messages that are stored together. */
type Together = { stored: Promise<unknown>; ids: number[]; weight: number };

/** Takes what it can of what was read, and leaves the rest. */
export type Lane = (chunk: Buffer, isAtPacket: boolean) => Buffer | null;

const heldBytes = 16 * 1024; // of a message that is not all there; a longer one is for aedes to collect

/**
 * The short way of what comes most: messages of quality of service 1 with a topic we know, taken out of what is read
 * before aedes sees it. The first packet that is anything else goes the long way, with all that was read after it.
 */
export function createPublishLane(connection: BrokerConnection, { admission, limits, receive }: LaneDeps): Lane {
  const { stream, mqtt } = connection;
  let begun: Buffer | undefined;
  let safe: number[] = [];

  /** In one write for all that became safe in a turn. */
  function acknowledge(): void {
    const packets = acknowledgements(safe);
    safe = [];
    if (stream.writable && !stream.write(packets)) stream.once('drain', () => connection.resume());
  }

  function settle({ stored, ids, weight }: Together, owner: ConnectionOwner): void {
    const release = (): void => releaseUnstored(owner, weight);
    stored.then(
      () => {
        if (safe.length === 0) process.nextTick(acknowledge);
        safe.push(...ids);
        release();
      },
      (error: unknown) => {
        mqtt.emit('error', error);
        release();
      },
    );
  }

  /** Says where the first packet begins that is not for us. */
  function takeAll(chunk: Buffer, gateway: BrokerClient, owner: ConnectionOwner): number {
    const now = performance.now();
    let together: Together | undefined;
    let at = 0;
    while (at < chunk.length) {
      const packet = readPublish(chunk, at);
      if (packet === 'begun' && chunk.length - at <= heldBytes) {
        begun = chunk.subarray(at);
        at = chunk.length;
      }
      if (!packet || packet === 'begun') break;
      const { id, topic, payload, end } = packet;
      const weight = weightOf(payload);
      if (id === 0 || !parseGatewayTopic(topic) || !admission.mayPublish(gateway, topic)) break;
      if (!keepsPace(owner, weight, limits.messagesPerSecond, now)) break;
      const stored = receive({ topic, payload });
      if (together?.stored !== stored) {
        if (together) settle(together, owner);
        together = { stored, ids: [], weight: 0 };
      }
      together.ids.push(id);
      together.weight += weight;
      owner.unstored += weight;
      at = end;
    }
    if (together) settle(together, owner);
    return at;
  }

  return (read, isAtPacket) => {
    const { client, owner, isReady } = connection;
    if (client?.kind !== 'gateway' || !owner || !isReady || !(isAtPacket || begun)) return read;
    const chunk = begun ? Buffer.concat([begun, read]) : read;
    begun = undefined;
    try {
      const taken = takeAll(chunk, client, owner);
      if (taken > 0) keepAlive(mqtt);
      return taken === chunk.length ? null : chunk.subarray(taken);
    } catch (error) {
      mqtt.emit('error', error); // ends this connection; thrown from here it would end the process
      return null;
    }
  };
}

/** Aedes ends who is silent for too long, and does not see what went this way. The timer is there if the client asked for it. */
const keepAlive = (mqtt: MqttClient): void =>
  void (mqtt as MqttClient & { _keepaliveTimer: NodeJS.Timeout | null })._keepaliveTimer?.refresh();

/** A PUBLISH of quality of service 1, where it lies in a chunk of packets. */
type PublishPacket = {
  id: number;
  topic: string;
  payload: Buffer;
  /** where the next packet begins */
  end: number;
};

const publishQos1 = 0x32;
const kindAndQos = 0xf6; // but not whether it is retained or sent again
const mostDigits = 4; // MQTT 3.1.1, 2.2.3

/** The packet that begins here: undefined when it is of another kind or makes no sense, 'begun' when its end is missing. */
function readPublish(chunk: Buffer, begin: number): PublishPacket | 'begun' | undefined {
  if ((chunk[begin]! & kindAndQos) !== publishQos1) return undefined;
  let at = begin + 1;
  let length = 0;
  for (let digit = 0; ; digit++) {
    if (at === chunk.length) return 'begun';
    const byte = chunk[at++]!;
    length += (byte & 0x7f) << (7 * digit);
    if (byte < 0x80) break;
    if (digit === mostDigits - 1) return undefined;
  }
  const end = at + length;
  if (end > chunk.length) return 'begun';
  const topicAt = at + 2;
  const idAt = topicAt + ((chunk[at]! << 8) | chunk[at + 1]!);
  if (length < 4 || idAt + 2 > end) return undefined;
  const id = (chunk[idAt]! << 8) | chunk[idAt + 1]!;
  const topic = chunk.toString('utf8', topicAt, idAt);
  return { id, topic, payload: chunk.subarray(idAt + 2, end), end };
}

const pubackBytes = 4;

/** PUBACK packets, one after the other. */
function acknowledgements(ids: readonly number[]): Buffer {
  const packets = Buffer.allocUnsafe(ids.length * pubackBytes);
  for (let i = 0; i < ids.length; i++) packets.writeUInt32BE(0x4002_0000 + ids[i]!, i * pubackBytes);
  return packets;
}
