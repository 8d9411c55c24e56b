import type { Duplex } from 'node:stream';
import type { Client as MqttClient } from 'aedes';
import type { BrokerClient } from '../transport.ts';
import type { BrokerLimits } from './limits.ts';

/** State that all connections of one gateway, or of one member, share: more connections do not raise a limit. */
export type ConnectionOwner = {
  readonly name: string;
  readonly connections: Set<BrokerConnection>;
  /** when the next message is due at the permitted rate, in ms of `performance.now()` */
  dueAt: number;
  /** weight of the messages that are not stored yet */
  unstored: number;
};

/** One client at the broker, from its first byte to its last. */
export type BrokerConnection = {
  readonly mqtt: MqttClient;
  readonly stream: Duplex;
  readonly address: string;
  clientId: string;
  username: string;
  /** until the login is checked */
  password: string;
  willTopic: string | undefined;
  isIdRejected: boolean;
  /** who it is, once it is logged in */
  client: BrokerClient | undefined;
  /** when it has to be logged in, then when its login ends, ms */
  expiresAt: number;
  isReady: boolean;
  /** what it shares with the other connections of the same client, once it is logged in */
  owner: ConnectionOwner | undefined;
  /** Reads on after it was held up. */
  resume(): void;
  /** bytes on their way to it, as of a turn of the event loop */
  queued: number;
  queuedTurn: number;
  /** messages it did not get because it reads too slowly */
  missed: number;
};

type Opened = Pick<BrokerConnection, 'mqtt' | 'stream' | 'address' | 'expiresAt'>;

export const newConnection = ({ mqtt, stream, address, expiresAt }: Opened): BrokerConnection => ({
  mqtt,
  stream,
  address,
  clientId: '',
  username: '',
  password: '',
  willTopic: undefined,
  isIdRejected: false,
  client: undefined,
  expiresAt,
  isReady: false,
  owner: undefined,
  resume() {},
  queued: 0,
  queuedTurn: -1,
  missed: 0,
});

export function createOwners(limits: Pick<BrokerLimits, 'connectionsPerGateway' | 'connectionsPerMember'>) {
  const byName = new Map<string, ConnectionOwner>();
  const withoutConnection = new Set<ConnectionOwner>();

  return {
    /** Adds the connection to its owner's. Returns undefined when the owner has too many; one with the same client id is replaced. */
    enter(connection: BrokerConnection, client: BrokerClient): ConnectionOwner | undefined {
      const name = client.kind === 'gateway' ? client.serial : client.identityId;
      const most = client.kind === 'gateway' ? limits.connectionsPerGateway : limits.connectionsPerMember;
      const owner = byName.get(name) ?? { name, connections: new Set(), dueAt: 0, unstored: 0 };
      const others = [...owner.connections].filter(({ clientId }) => clientId !== connection.clientId);
      if (others.length >= most) return undefined;
      byName.set(name, owner);
      withoutConnection.delete(owner);
      owner.connections.add(connection);
      return owner;
    },

    leave(connection: BrokerConnection): void {
      const { owner } = connection;
      if (owner?.connections.delete(connection) && owner.connections.size === 0) withoutConnection.add(owner);
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

/** Messages are stored, or given up: every connection of the owner may go on reading. */
export function releaseUnstored(owner: ConnectionOwner, weight: number): void {
  owner.unstored -= weight;
  for (const { resume } of owner.connections) resume();
}

const burstMs = 1000;

/** How long a message has to wait, in ms, for its sender to keep to the rate; a second's worth may be sent at once. */
export function waitFor(owner: ConnectionOwner, weight: number, perSecond: number): number {
  const now = performance.now(); // monotonic: setting the clock back must not hold up a sender
  owner.dueAt = dueAfter(owner, weight, perSecond, now);
  return Math.max(0, owner.dueAt - now - burstMs);
}

/** Counts a message that need not wait; one that has to wait is not counted yet. */
export function keepsPace(owner: ConnectionOwner, weight: number, perSecond: number, now: number): boolean {
  const dueAt = dueAfter(owner, weight, perSecond, now);
  if (dueAt - now > burstMs) return false;
  owner.dueAt = dueAt;
  return true;
}

const dueAfter = ({ dueAt }: ConnectionOwner, weight: number, perSecond: number, now: number): number =>
  Math.max(dueAt, now) + (weight * 1000) / perSecond;
