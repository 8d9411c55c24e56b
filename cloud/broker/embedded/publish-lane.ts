import type { Client as MqttClient } from 'aedes';
import { parseGatewayTopic } from '#contract/topics.ts';
import type { Admission, Client, Message } from '../transport.ts';
import type { Connection, Owner } from './connection.ts';
import { type BrokerLimits, weightOf } from './limits.ts';
import { releaseUnstored } from './owners.ts';
import { keepsPace } from './pace.ts';
import { acknowledgements, readPublish } from './publish-packet.ts';

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
export function createPublishLane(connection: Connection, { admission, limits, receive }: LaneDeps): Lane {
  const { stream, mqtt } = connection;
  let begun: Buffer | undefined;
  let safe: number[] = [];

  /** In one write for all that became safe in a turn. */
  function acknowledge(): void {
    const packets = acknowledgements(safe);
    safe = [];
    if (stream.writable && !stream.write(packets)) stream.once('drain', () => connection.resume());
  }

  function settle({ stored, ids, weight }: Together, owner: Owner): void {
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
  function takeAll(chunk: Buffer, gateway: Client, owner: Owner): number {
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
