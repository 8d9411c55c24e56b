import { once } from 'node:events';
import type { Server } from 'node:net';
import { promisify } from 'node:util';
import { listen } from '#lib/listen.ts';
import '#lib/mqtt-packet-cache.ts';
import { Aedes } from 'aedes';
import { platformTopic } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { deliveryHooks, loginHooks, publishHook, subscriptionsOf } from './embedded/aedes-hooks.ts';
import { BrokerConnection } from './embedded/connection.ts';
import { createConnections } from './embedded/connections.ts';
import { type BrokerLimits, defaultLimits } from './embedded/limits.ts';
import { type Accept, createSocketGate, createTcpListener, createTlsListener } from './embedded/listeners.ts';
import { createOrgSubscriptions } from './embedded/org-subscriptions.ts';
import { enforceProtocol } from './embedded/protocol.ts';
import { createPublishLane } from './embedded/publish-lane.ts';
import { guardReading } from './embedded/read-guard.ts';
import { Subscriptions } from './embedded/subscriptions.ts';
import { matches } from './topic-filter.ts';
import type { Admission, Registrar, Transport, TransportEvents } from './transport.ts';

export type EmbeddedBrokerOptions = {
  admission: Admission;
  /** set if the platform has several processes */
  registrar?: Registrar | undefined;
  host: string;
  mqttPort: number;
  /** whether to try the next ports when one is taken */
  mayMove: boolean;
  websocketPort?: number | undefined;
  tls?: { cert: string; key: string; port: number } | undefined;
  limits?: Partial<BrokerLimits> | undefined;
  clock: Clock;
  log: Logger;
};

const sweepMs = 1000;
const backlog = 4096; // a fleet that reconnects at once; beyond it, clients try again after 1, 3, 7 … seconds

export type EmbeddedBroker = Transport & {
  readonly connectedGateways: number;
  hasGateway(serial: string): boolean;
  /** Counts messages that an owner sent to another process. */
  spend(owner: string, weight: number): void;
};

const noop = (): void => {};
const alone: Registrar = { register: async () => noop, subscribe: async () => noop, spent: noop };

/** Creates an MQTT 3.1.1 broker in this process. Gateways publish to the platform; the platform publishes to clients. */
export function createEmbeddedBroker(options: EmbeddedBrokerOptions): EmbeddedBroker {
  const { admission, registrar = alone, host, mayMove, clock, log } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const gate = createSocketGate(limits, clock);
  const servers: Server[] = [];
  const urls: { mqtt?: string; websocket?: string; mqtts?: string } = {};
  let receiver: TransportEvents | undefined;
  let isUp = false;
  let sweep: NodeJS.Timeout | undefined;

  // Connections that end because the broker closes say nothing about the gateways, so events and wills are ignored then.
  const events: TransportEvents = {
    message: (message) =>
      receiver?.message(message) ?? Promise.reject(new Error('The broker is closing and accepts no more messages.')),
    presence: (serial, isConnected) => receiver?.presence(serial, isConnected),
  };
  const { aedes, connections, subscriptions, accept } = createReception({
    admission,
    registrar,
    events,
    limits,
    clock,
    log,
  });

  async function open(server: Server, port: number, scheme: string): Promise<string> {
    gate.watch(server);
    servers.push(server);
    const listening = {
      server,
      listen: (at: { host: string; port: number }) => once(server.listen({ ...at, backlog }), 'listening'),
    };
    const bound = await listen(listening, { host, port, mayMove, log });
    return `${scheme}://${nameOf(host)}:${bound}`;
  }

  async function openAll({ mqttPort, websocketPort, tls }: EmbeddedBrokerOptions): Promise<void> {
    urls.mqtt = await open(createTcpListener(accept), mqttPort, 'mqtt');
    if (websocketPort !== undefined) {
      const { webSocketDoor } = await import('./embedded/websocket-listener.ts'); // HTTP takes 50 ms to load
      urls.websocket = await open(webSocketDoor(accept, limits), websocketPort, 'ws');
    }
    if (tls) urls.mqtts = await open(createTlsListener(accept, tls, limits), tls.port, 'mqtts');
  }

  async function drain(overMs: number): Promise<void> {
    if (overMs === 0) return;
    for (const server of servers) server.close();
    await connections.endSlowly(overMs);
  }

  async function close(): Promise<void> {
    isUp = false;
    receiver = undefined;
    clearInterval(sweep);
    const listening = servers.filter((server) => server.listening);
    const closed = listening.map((server) => once(server.close(), 'close'));
    gate.destroyAll();
    await promisify(aedes.close.bind(aedes))();
    await Promise.all(closed);
  }

  return {
    urls,

    get isUp() {
      return isUp;
    },

    get canPublish() {
      return isUp;
    },

    isWanted: subscriptions.has,

    get connectedGateways() {
      return connections.gateways;
    },

    hasGateway: connections.hasGateway,
    spend: connections.spend,

    async start(given) {
      receiver = given;
      await aedes.listen();
      sweep = setInterval(() => void connections.endExpired(clock.now()), sweepMs).unref();
      try {
        await openAll(options);
        isUp = true;
      } catch (error) {
        await close();
        throw error;
      }
    },

    publish(topic, payload) {
      const packet = { cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false } as const;
      aedes.publish(packet, (error) => error && receiver && log.error({ err: error, topic }, 'message not published'));
      return isUp;
    },

    disconnect: (named) => connections.endNamed(named),
    drain,
    close,
  };
}

const ownHosts = ['0.0.0.0', '::', '127.0.0.1', '::1'];

const nameOf = (host: string): string => (ownHosts.includes(host) ? 'localhost' : host.replace(/^.*:.*$/, '[$&]'));

type ReceptionDeps = {
  admission: Admission;
  registrar: Registrar;
  events: TransportEvents;
  limits: BrokerLimits;
  clock: Clock;
  log: Logger;
};

function createReception({ admission, registrar, events, limits, clock, log }: ReceptionDeps) {
  const connections = createConnections(events.presence, limits, registrar.spent);
  const subscriptions = createOrgSubscriptions(registrar.subscribe);
  const aedes = new Aedes({
    concurrency: 0, // of listeners to one stream: unlimited
    connectTimeout: limits.connectMs,
    drainTimeout: limits.stalledMs,
    mq: new Subscriptions(),
    ...loginHooks({ admission, connections, register: registrar.register, limits, clock }),
    ...deliveryHooks({ admission, connections, subscriptions, limits, log }),
    authorizePublish: publishHook({ admission, connections, limits, receive: events.message }),
  });

  aedes.on('clientReady', (mqtt) => connections.ready(mqtt));
  aedes.on('subscribe', (subscriptions, mqtt) => {
    const client = connections.of(mqtt)?.client;
    if (client?.kind !== 'gateway') return;
    const topic = platformTopic(client.serial);
    if (!subscriptions.some((granted) => granted.qos === 0 && matches(granted.topic, topic))) return;
    const payload = admission.platformMessage();
    mqtt.publish({ cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false }, () => {});
  });
  aedes.on('unsubscribe', (_, mqtt) => {
    const connection = connections.of(mqtt);
    if (connection) subscriptions.keepOnly(connection, subscriptionsOf(mqtt));
  });
  aedes.on('clientError', ({ id }, error) => log.debug({ id, err: error }, 'connection ended by an error'));
  aedes.on('connectionError', (_, error) => log.debug({ err: error }, 'connection ended by an error before its login'));
  (aedes as NodeJS.EventEmitter).on('error', (error) => log.error({ err: error }, 'broker failed'));

  const { packetBytes, unstored: maxUnstored } = limits;
  const guard = { packetBytes, lane: createPublishLane({ admission, limits, receive: events.message }) };
  const accept: Accept = (stream, address = '') => {
    if (stream.destroyed) return;
    const expiresAt = clock.now() + limits.connectMs;
    const connection = new BrokerConnection({ mqtt: aedes.handle(stream), stream, address, expiresAt, maxUnstored });
    connections.add(connection);
    enforceProtocol(connection);
    guardReading(connection, guard);
    stream.on('close', () => {
      connections.remove(connection);
      subscriptions.keepOnly(connection, []);
      const { username, missed } = connection;
      if (missed > 0) log.warn({ username, missed }, 'slow subscriber disconnected');
    });
  };

  return { aedes, connections, subscriptions, accept };
}
