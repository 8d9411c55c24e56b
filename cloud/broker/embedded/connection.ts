import type { Duplex } from 'node:stream';
import type { Client as MqttClient } from 'aedes';
import { reportsPerLimit } from '#lib/rate-limit.ts';
import type { BrokerClient, Registrar } from '../transport.ts';
import type { BrokerLimits } from './limits.ts';

/** State shared by all connections of a gateway or a member, so that more connections do not raise a limit. */
export type ConnectionOwner = {
  readonly name: string;
  connections: readonly BrokerConnection[];
  /** how many of them are logged in and served */
  ready: number;
  /** when the next message is due at the permitted rate, in ms of `performance.now()` */
  dueAt: number;
  /** weight of the messages that are not stored yet */
  unstored: number;
  /** weight of the messages since `countedFrom` that are not reported to the other processes of the platform */
  counted: number;
  countedFrom: number;
  readonly report: Registrar['spent'];
};

type Opened = Pick<BrokerConnection, 'mqtt' | 'stream' | 'address' | 'expiresAt' | 'maxUnstored'>;

const nothing = Buffer.alloc(0);
const noop = (): void => {};

/** One client at the broker, from its first byte to its last. Every byte here counts as often as gateways are connected. */
export class BrokerConnection {
  readonly mqtt: MqttClient;
  readonly stream: Duplex;
  readonly maxUnstored: number;
  address: string; // until the login is checked
  clientId = '';
  username = '';
  password = ''; // until the login is checked
  willTopic: string | undefined; // until the login is checked
  isIdRejected = false;
  client: BrokerClient | undefined; // set after the login
  owner: ConnectionOwner | undefined; // set after the login
  expiresAt: number; // the deadline of the login, then the end of its validity, ms
  isReady = false;
  isPaused = false; // its stream is not read
  isOver = false; // after DISCONNECT, or a packet that is forbidden
  beginning: Buffer | undefined = nothing; // its first bytes until they contain the protocol level
  readonly cursor = startOfPackets();
  partial: Buffer | undefined; // the bytes of an incomplete message
  storedIds: number[] | undefined; // messages to acknowledge
  organizations: Set<string> | undefined; // that a member is subscribed to
  unregister: () => void = noop; // set after the login
  queued = 0; // bytes waiting to be sent, as of `queuedTurn`
  queuedTurn = -1;
  missed = 0; // messages dropped because the client reads too slowly

  constructor({ mqtt, stream, address, expiresAt, maxUnstored }: Opened) {
    this.mqtt = mqtt;
    this.stream = stream;
    this.address = address;
    this.expiresAt = expiresAt;
    this.maxUnstored = maxUnstored;
  }

  get mayRead(): boolean {
    return (this.owner?.unstored ?? 0) < this.maxUnstored && !this.stream.writableNeedDrain;
  }

  /** Resumes reading after it was paused. */
  resume(): void {
    if (this.isPaused && this.mayRead) this.stream.emit('readable');
  }
}

/** The position in a stream of MQTT packets between two chunks. */
export type PacketCursor = {
  /** missing bytes of the current packet */
  left: number;
  /** the length read so far, and how many of its digits; -1 before the packet's first byte */
  length: number;
  digits: number;
};

export const startOfPackets = (): PacketCursor => ({ left: 0, length: 0, digits: -1 });

export function createOwners(
  limits: Pick<BrokerLimits, 'connectionsPerGateway' | 'connectionsPerMember' | 'messagesPerSecond'>,
  report: Registrar['spent'],
) {
  const byName = new Map<string, ConnectionOwner>();
  const withoutConnection = new Set<ConnectionOwner>();

  const newOwner = (name: string): ConnectionOwner => ({
    name,
    connections: [],
    ready: 0,
    dueAt: 0,
    unstored: 0,
    counted: 0,
    countedFrom: 0,
    report,
  });

  return {
    /** Adds the connection to its owner's. Returns undefined when the owner has too many; one with the same client id is replaced. */
    enter(connection: BrokerConnection, client: BrokerClient): ConnectionOwner | undefined {
      const name = client.kind === 'gateway' ? client.serial : client.identityId;
      const max = client.kind === 'gateway' ? limits.connectionsPerGateway : limits.connectionsPerMember;
      const owner = byName.get(name) ?? newOwner(name);
      const others = owner.connections.filter(({ clientId }) => clientId !== connection.clientId);
      if (others.length >= max) return undefined;
      byName.set(name, owner);
      withoutConnection.delete(owner);
      owner.connections = [...owner.connections, connection];
      return owner;
    },

    isReady: (name: string): boolean => (byName.get(name)?.ready ?? 0) > 0,

    /** Counts messages of an owner that another process received. */
    spend(name: string, weight: number, now = performance.now()): void {
      const owner = byName.get(name);
      if (owner) owner.dueAt = dueAfter(owner, weight, limits.messagesPerSecond, now);
    },

    leave(connection: BrokerConnection): void {
      const { owner } = connection;
      if (!owner?.connections.includes(connection)) return;
      owner.connections = owner.connections.filter((other) => other !== connection);
      if (owner.connections.length === 0) withoutConnection.add(owner);
    },

    /** Forgets owners without connections once their rate limit has recovered, so that reconnecting does not reset it. */
    forgetIdle(now = performance.now()): void {
      for (const owner of withoutConnection) {
        if (owner.unstored > 0 || owner.dueAt > now) continue;
        withoutConnection.delete(owner);
        byName.delete(owner.name);
      }
    },

    count: (): number => byName.size,
  };
}

/** Releases the weight of messages that were stored or given up, and resumes the owner's connections. */
export function releaseUnstored(owner: ConnectionOwner, weight: number): void {
  owner.unstored -= weight;
  for (const connection of owner.connections) connection.resume();
}

const burstMs = 1000;

/** Counts a message and returns how long it must wait for the rate limit, in ms. Bursts of one second are allowed. */
export function waitFor(owner: ConnectionOwner, weight: number, perSecond: number): number {
  const now = performance.now(); // monotonic: setting the clock back must not delay a sender
  owner.dueAt = dueAfter(owner, weight, perSecond, now);
  report(owner, weight, perSecond, now);
  return Math.max(0, owner.dueAt - now - burstMs);
}

/** Counts a message if it need not wait, and returns whether it was counted. */
export function keepsPace(owner: ConnectionOwner, weight: number, perSecond: number, now: number): boolean {
  const dueAt = dueAfter(owner, weight, perSecond, now);
  if (dueAt - now > burstMs) return false;
  owner.dueAt = dueAt;
  report(owner, weight, perSecond, now);
  return true;
}

/** Reports messages in portions of a twentieth of the limit. Slower senders are not reported: they are far below it. */
function report(owner: ConnectionOwner, weight: number, perSecond: number, now: number): void {
  if (now - owner.countedFrom > 1000) {
    owner.counted = 0;
    owner.countedFrom = now;
  }
  owner.counted += weight;
  if (owner.counted < perSecond / reportsPerLimit) return;
  owner.report(owner.name, owner.counted);
  owner.counted = 0;
  owner.countedFrom = now;
}

const dueAfter = ({ dueAt }: ConnectionOwner, weight: number, perSecond: number, now: number): number =>
  Math.max(dueAt, now) + (weight * 1000) / perSecond;
