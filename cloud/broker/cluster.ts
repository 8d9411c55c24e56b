import { randomUUID } from 'node:crypto';
import type { CommonDeps } from '../store/store.ts';
import { type Bus, createBus } from './cluster/bus.ts';
import { createLeases } from './cluster/leases.ts';
import { createEmbeddedBroker, type EmbeddedBrokerOptions } from './embedded.ts';
import { createSharedSpending } from './shared-spending.ts';
import type { Registrar, SharedBroker, Transport, TransportEvents } from './transport.ts';

export type ClusterOptions = Omit<EmbeddedBrokerOptions, 'registrar'> & { busUrls: readonly string[] } & CommonDeps;

export type ClusterTransport = Transport & {
  shared: SharedBroker;
  readonly bus: Pick<Bus, 'isUp' | 'peers'>;
  readonly nodeId: string;
};

// Each process watches its own topics.
const commandsFor = (node: string): string => `node/${node}/commands`;
const takeOversFor = (node: string): string => `node/${node}/take-overs`;
const messages = 'messages';

/**
 * Accepts clients in this process, one of several behind a balancer. Through the bus it sends to the other processes what they
 * watch, commands to the process that a gateway is connected to, and take-overs of client ids.
 */
export function createClusterTransport(options: ClusterOptions): ClusterTransport {
  const { busUrls, store, clock, log } = options;
  const nodeId = randomUUID();
  const bus = createBus({ urls: busUrls, nodeId, log, onJoined: () => void endTakenOver() });
  const spending = createSharedSpending(bus);
  let events: TransportEvents | undefined;
  const leases = createLeases({ store, clock, log, nodeId, onGone: (serial) => events?.presence(serial, false) });

  const registrar: Registrar = {
    async register(clientId, admitted, end) {
      const { release, epoch, previous } = await leases.take(clientId, admitted, end);
      if (previous) bus.publish(takeOversFor(previous), JSON.stringify({ clientId, epoch }));
      return release;
    },
    subscribe: (organization) => bus.watch(organization, toMembers),
    spent: (owner, weight) => spending.report(messages, owner, weight),
  };
  const broker = createEmbeddedBroker({ ...options, registrar });
  spending.onReport(messages, broker.spend);

  function toMembers(payload: string, topic: string): void {
    broker.publish(topic, payload);
  }

  async function endTakenOver(): Promise<void> {
    await leases.endTakenOver().catch((error: unknown) => log.warn({ err: error }, 'take-overs not checked'));
  }

  /** Publishes to a gateway where it is connected. A message that arrives after the gateway has left follows it once. */
  async function toGateway(serial: string, topic: string, payload: string, isFollowing = false): Promise<void> {
    if (isFollowing && broker.hasGateway(serial)) return void broker.publish(topic, payload);
    for (const node of await leases.nodesOf(serial)) {
      if (node === nodeId) broker.publish(topic, payload);
      else bus.publish(commandsFor(node), JSON.stringify({ topic, payload, isFollowing }));
    }
  }

  function receiveCommand(text: string): void {
    const { topic, payload, isFollowing } = JSON.parse(text);
    const serial = serialOf(topic);
    if (serial === undefined) return;
    if (isFollowing || broker.hasGateway(serial)) broker.publish(topic, payload);
    else send(serial, topic, payload, true);
  }

  function send(serial: string, topic: string, payload: string, isFollowing = false): void {
    toGateway(serial, topic, payload, isFollowing).catch((error: unknown) => {
      log.warn({ err: error, serial }, 'the process of a gateway could not be looked up');
      broker.publish(topic, payload);
    });
  }

  return {
    urls: broker.urls,
    bus,
    nodeId,
    get isUp() {
      return broker.isUp; // without the bus, readings are stored and gateways of this process are served
    },
    get canPublish() {
      return broker.canPublish;
    },
    get connectedGateways() {
      return broker.connectedGateways;
    },
    isWanted: bus.isWanted,

    publish(topic, payload) {
      const serial = serialOf(topic);
      if (serial === undefined) {
        if (topic.startsWith('gateways/')) return broker.publish(topic, payload); // answers the gateway that sent something
        bus.publish(topic, payload);
        return true;
      }
      if (!bus.isUp && !broker.hasGateway(serial)) return false;
      send(serial, topic, payload);
      return true;
    },

    async start(given) {
      events = given;
      await bus.watch(commandsFor(nodeId), receiveCommand);
      await bus.watch(takeOversFor(nodeId), (text) => leases.takenOver(JSON.parse(text)));
      await spending.start();
      await bus.start();
      leases.start();
      // A gateway that left this process may be connected to another one: the leases know.
      const presence: TransportEvents['presence'] = (serial, isConnected) => {
        if (isConnected) given.presence(serial, true);
      };
      await broker.start({ ...given, presence });
    },

    drain: broker.drain,
    disconnect: broker.disconnect, // every process hears of the change and ends its own connections
    shared: {
      watch: bus.watch,
      onMissed: bus.onMissed,
      spending,
      figures: () => ({ published: bus.figures.sent, dropped: bus.figures.dropped }),
    },

    async close() {
      events = undefined;
      await broker.close();
      await leases.stop();
      await bus.close();
    },
  };
}

/** Returns the gateway that a topic controls. */
const serialOf = (topic: string): string | undefined => /^control\/([^/]+)\//.exec(topic)?.[1];
