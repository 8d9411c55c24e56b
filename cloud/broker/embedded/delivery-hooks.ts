import type { AedesOptions, AedesPublishPacket, Client as MqttClient } from 'aedes';
import type { Logger } from '#lib/log.ts';
import type { Admission } from '../transport.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import type { BrokerLimits } from './limits.ts';

type DeliveryHooks = Required<Pick<AedesOptions, 'authorizeSubscribe' | 'authorizeForward'>>;

type DeliveryDeps = { admission: Admission; connections: Connections; limits: BrokerLimits; log: Logger };

/** What aedes asks us when a client subscribes and when a message is about to go to it. */
export function deliveryHooks({ admission, connections, limits, log }: DeliveryDeps): DeliveryHooks {
  let turn = 0;
  let isTurnCounted = false;

  /** Aedes writes a turn of the event loop later, so what was let through in this one counts as well. */
  function hasRoom(connection: Connection, bytes: number): boolean {
    if (!isTurnCounted) {
      isTurnCounted = true;
      setImmediate(() => {
        turn++;
        isTurnCounted = false;
      });
    }
    if (connection.queuedTurn !== turn) {
      connection.queuedTurn = turn;
      connection.queued = connection.stream.writableLength;
    }
    connection.queued += bytes;
    return connection.queued <= limits.queuedBytes;
  }

  const renewals = new WeakMap<Connection, Promise<void>>();

  /** One at a time of a connection, so that a packet of many filters asks once. */
  function renew(connection: Connection): Promise<void> {
    const begun = renewals.get(connection);
    if (begun) return begun;
    const renewal = readAgain(connection).finally(() => renewals.delete(connection));
    renewals.set(connection, renewal);
    return renewal;
  }

  async function readAgain(connection: Connection): Promise<void> {
    try {
      connection.client = await admission.renew(connection.client!);
    } catch (error) {
      log.debug({ err: error, username: connection.username }, 'a member keeps the rights of the login');
    }
  }

  function isGranted(connection: Connection, filter: string): boolean {
    const held = subscriptionsOf(connection.mqtt);
    const hasPlace = held.length < limits.subscriptions || held.includes(filter);
    return hasPlace && admission.maySubscribe(connection.client!, filter);
  }

  return {
    authorizeSubscribe(mqtt, subscription, done) {
      const connection = connections.of(mqtt);
      const { topic: filter } = subscription;
      // Aedes has no shared subscriptions and would deliver nothing.
      if (!connection?.client || filter.startsWith('$')) return done(null, null);
      const answer = (): void => done(null, isGranted(connection, filter) ? subscription : null);
      const isKnown = connection.client.kind === 'gateway' || admission.maySubscribe(connection.client, filter);
      if (isKnown) answer();
      else void renew(connection).then(answer);
    },

    authorizeForward(mqtt, packet) {
      const connection = connections.of(mqtt);
      // What clients publish is for the platform, not for one another.
      if (!connection || isFromClient(packet)) return null;
      if (hasRoom(connection, packet.payload.length)) return packet;
      const { username, clientId, missed } = connection;
      if (missed === 0) log.warn({ username, clientId }, 'a subscriber reads too slowly and misses messages');
      connection.missed++;
      return null;
    },
  };
}

// Both are there, only the types do not say so.
const subscriptionsOf = (mqtt: MqttClient): string[] =>
  Object.keys((mqtt as MqttClient & { subscriptions: object }).subscriptions);

const isFromClient = (packet: AedesPublishPacket): boolean =>
  (packet as AedesPublishPacket & { clientId?: string }).clientId !== undefined;
