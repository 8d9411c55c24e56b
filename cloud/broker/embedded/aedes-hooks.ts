import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AedesOptions, AedesPublishPacket, AuthenticateError, Client as MqttClient, PublishPacket } from 'aedes';
import { parseGatewayTopic } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { isMember } from '../client-id.ts';
import type { Admission, BrokerClient, Message, Registrar } from '../transport.ts';
import { type BrokerConnection, type ConnectionOwner, releaseUnstored, waitFor } from './connection.ts';
import type { Connections } from './connections.ts';
import { type BrokerLimits, weightOf } from './limits.ts';
import type { OrgSubscriptions } from './org-subscriptions.ts';

type LoginHooks = Required<Pick<AedesOptions, 'preConnect' | 'authenticate'>>;

type LoginDeps = {
  admission: Admission;
  connections: Connections;
  register: Registrar['register'];
  limits: BrokerLimits;
  clock: Clock;
};

// MQTT 3.1.1, 3.2.2.3
const returnCode = { idRejected: 2, unavailable: 3, notAuthorized: 5 } as const;

const refusal = (message: string, code: number): AuthenticateError =>
  Object.assign(new Error(message), { returnCode: code });

/** Assigns a client id to a client without one (MQTT 3.1.1, 3.1.3-6). Gateways must send one, so theirs matches no serial. */
const assignedId = (username: string): string => (isMember(username) ? `${username}-${randomUUID()}` : randomUUID());

export function loginHooks({ admission, connections, register, limits, clock }: LoginDeps): LoginHooks {
  const inTurn = createTurns(limits.loginsAtOnce);

  async function logIn(connection: BrokerConnection | undefined): Promise<void> {
    // Clients that gave up waiting cost no further work, or a fleet that reconnects at once would never be served.
    if (!connection || connection.stream.destroyed) throw refusal('unknown connection', returnCode.unavailable);
    const { clientId, username, password, address, willTopic } = connection;
    connection.password = '';
    if (connection.isIdRejected) throw refusal('no client id without a clean session', returnCode.idRejected);
    const admitted = await admission.login({ clientId, username, password, address });
    if (!admitted) throw refusal('not authorized', returnCode.notAuthorized);
    if (willTopic !== undefined && !admission.mayPublish(admitted.client, willTopic))
      throw refusal('no right to publish the will', returnCode.notAuthorized);
    const unregister = await register(`${username}/${clientId}`, admitted, () => connection.mqtt.close());
    if (!connections.logIn(connection, admitted)) {
      unregister();
      throw refusal('too many connections', returnCode.unavailable);
    }
    connection.unregister = unregister;
  }

  return {
    preConnect(mqtt, packet, done) {
      const connection = connections.of(mqtt);
      if (!connection) return done(new Error('The connection is unknown.'), false);
      connection.expiresAt = clock.now() + limits.loginMs;
      connection.isIdRejected = packet.clientId === '' && !packet.clean; // MQTT 3.1.1, 3.1.3-8
      connection.username = packet.username ?? '';
      connection.clientId = packet.clientId || assignedId(connection.username);
      connection.password = packet.password?.toString() ?? '';
      connection.willTopic = packet.will?.topic;
      if (packet.will) {
        packet.will.retain = false;
        packet.will.payload = copyOf(packet.will.payload);
      }
      // Nothing is queued for an offline client: a command must not be executed late.
      packet.clean = true;
      // Client ids are scoped by user name, so that no client can take over another's connection.
      packet.clientId = `${connection.username}/${connection.clientId}`;
      done(null, true);
    },

    authenticate(mqtt, _username, _password, done) {
      inTurn(() => logIn(connections.of(mqtt))).then(
        () => done(null, true),
        (error) => done(error, false),
      );
    },
  };
}

/** Returns a function that runs work when fewer than this many are under way, in the order of the calls. */
function createTurns(max: number): (work: () => Promise<void>) => Promise<void> {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return async (work) => {
    if (busy < max) busy++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy--;
    }
  };
}

/** Copies bytes that are kept while the client is connected, and are a part of its whole CONNECT packet. */
function copyOf(payload: Buffer | string): Buffer {
  const copy = Buffer.alloc(Buffer.byteLength(payload)); // not from the pool: up to 64 bytes are part of the object
  if (typeof payload === 'string') copy.write(payload);
  else copy.set(payload);
  return copy;
}

const nothing = Buffer.alloc(0);

type PublishHook = NonNullable<AedesOptions['authorizePublish']>;

type PublishDeps = {
  admission: Admission;
  connections: Connections;
  limits: BrokerLimits;
  receive(message: Message): Promise<unknown>;
};

/**
 * Receives messages of gateways, including last wills. Aedes acknowledges a message when this hook calls back, so it does
 * once the message is stored. An error closes the connection without acknowledgement, and the gateway sends again.
 */
export function publishHook({ admission, connections, limits, receive }: PublishDeps): PublishHook {
  async function take(owner: ConnectionOwner, packet: PublishPacket): Promise<void> {
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload;
    packet.retain = false;
    const weight = weightOf(payload);
    owner.unstored += weight;
    try {
      const waitMs = waitFor(owner, weight, limits.messagesPerSecond);
      if (waitMs > 0) await delay(waitMs);
      if (parseGatewayTopic(packet.topic)) await receive({ topic: packet.topic, payload });
      packet.payload = nothing; // aedes keeps a message of QoS 2 until the client releases it
    } finally {
      releaseUnstored(owner, weight);
    }
  }

  return (mqtt, packet, done) => {
    const connection = connections.of(mqtt);
    const { client, owner } = connection ?? {};
    if (client?.kind !== 'gateway' || !owner || !admission.mayPublish(client, packet.topic)) {
      return done(new Error('The client may not publish to this topic.'));
    }
    take(owner, packet).then(() => done(null), done);
  };
}

type DeliveryHooks = Required<Pick<AedesOptions, 'authorizeSubscribe' | 'authorizeForward'>>;

type DeliveryDeps = {
  admission: Admission;
  connections: Connections;
  subscriptions: OrgSubscriptions;
  limits: BrokerLimits;
  log: Logger;
};

export function deliveryHooks({ admission, connections, subscriptions, limits, log }: DeliveryDeps): DeliveryHooks {
  let turn = 0;
  let isTurnCounted = false;

  /** Aedes writes one turn of the event loop later, so messages admitted in this turn count too. */
  function hasRoom(connection: BrokerConnection, bytes: number): boolean {
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

  const renewals = new WeakMap<BrokerConnection, Promise<void>>();

  /** Runs once at a time per connection, so that a packet with many filters reads the store once. */
  function renew(connection: BrokerConnection, client: BrokerClient): Promise<void> {
    const begun = renewals.get(connection);
    if (begun) return begun;
    const renewal = readAgain(connection, client).finally(() => renewals.delete(connection));
    renewals.set(connection, renewal);
    return renewal;
  }

  async function readAgain(connection: BrokerConnection, client: BrokerClient): Promise<void> {
    try {
      connection.client = await admission.renew(client);
    } catch (error) {
      const { username } = connection;
      log.debug({ err: error, username }, 'rights of a member not renewed, those of the login stay');
    }
  }

  function isGranted({ mqtt, client, stream }: BrokerConnection, filter: string): boolean {
    if (stream.destroyed) return false;
    const held = subscriptionsOf(mqtt);
    const hasRoomFor = held.length < limits.subscriptions || held.includes(filter);
    return hasRoomFor && client !== undefined && admission.maySubscribe(client, filter);
  }

  return {
    authorizeSubscribe(mqtt, subscription, done) {
      const connection = connections.of(mqtt);
      const client = connection?.client;
      const { topic: filter } = subscription;
      // Aedes does not support shared subscriptions and would deliver nothing.
      if (!client || filter.startsWith('$')) return done(null, null);
      const answer = async (): Promise<void> => {
        const isMemberGranted = client.kind === 'member' && isGranted(connection, filter);
        if (isMemberGranted) await subscriptions.enter(connection, filter);
        done(null, isGranted(connection, filter) ? subscription : null); // others were granted meanwhile
      };
      const isKnown = client.kind === 'gateway' || admission.maySubscribe(client, filter);
      if (isKnown) void answer();
      else void renew(connection, client).then(answer);
    },

    authorizeForward(mqtt, packet) {
      const connection = connections.of(mqtt);
      // Messages of clients are for the platform, not for other clients.
      if (!connection || isFromClient(packet)) return null;
      if (hasRoom(connection, packet.payload.length)) return packet;
      const { username, clientId, missed } = connection;
      if (missed === 0) log.warn({ username, clientId }, 'slow subscriber misses messages');
      connection.missed++;
      return null;
    },
  };
}

// The types of aedes lack both fields.
export const subscriptionsOf = (mqtt: MqttClient): string[] =>
  Object.keys((mqtt as MqttClient & { subscriptions: object }).subscriptions);

const isFromClient = (packet: AedesPublishPacket): boolean =>
  (packet as AedesPublishPacket & { clientId?: string }).clientId !== undefined;
