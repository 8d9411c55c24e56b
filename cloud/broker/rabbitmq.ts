import type { ChannelModel } from 'amqplib';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { createEvictions } from './rabbitmq/evictions.ts';
import { createIngest } from './rabbitmq/ingest.ts';
import { createLink } from './rabbitmq/link.ts';
import { createManagement } from './rabbitmq/management.ts';
import { createPublisher } from './rabbitmq/publisher.ts';
import { createWatches } from './rabbitmq/watches.ts';
import { createSharedSpending } from './shared-spending.ts';
import type { SharedBroker, Transport } from './transport.ts';

export type RabbitOptions = {
  urls: readonly string[];
  managementUrls: readonly string[];
  log: Logger;
  clock: Clock;
  /** number of failures, while other messages are stored, after which a message becomes a dead letter */
  poisonAfter?: number;
};

export type RabbitTransport = Transport & { shared: SharedBroker & Required<Pick<SharedBroker, 'admitted'>> };

const revocationTopic = 'platform/revocations'; // clients may neither publish nor subscribe below platform/

/**
 * Connects to a RabbitMQ cluster. It never calls `presence`: RabbitMQ does not report connections, so a gateway's messages
 * and last will serve instead. Gateways have the address of the broker in their configuration, so `urls` is empty.
 */
export function createRabbitTransport(options: RabbitOptions): RabbitTransport {
  const { urls, managementUrls, log, clock, poisonAfter = 20 } = options;
  const management = createManagement(managementUrls);
  const evictions = createEvictions({ management, clock, log });
  const ingest = createIngest({ poisonAfter, log });
  const publisher = createPublisher();
  const watches = createWatches(log);
  const spending = createSharedSpending({ publish: publisher.publish, watch: watches.watch });

  const missed = new Set<() => void>();
  let hasJoined = false;

  async function setUpExchange(connection: ChannelModel): Promise<void> {
    const channel = await connection.createChannel();
    channel.on('error', (error) => log.warn({ err: error }, 'broker channel failed'));
    channel.on('close', () => {
      loseExchange();
      void connection.close().catch(() => undefined);
    });
    publisher.setUp(channel);
    await watches.setUp(channel);
    if (hasJoined) for (const listener of missed) listener();
    hasJoined = true;
  }

  function loseExchange(): void {
    publisher.lost();
    watches.lost();
  }

  // Two connections: when RabbitMQ is short of memory or disk, it stops reading from a connection that publishes.
  // Acknowledgements on it would not arrive, and the queue that fills the memory would never drain.
  const ingestLink = createLink({ urls, purpose: 'ingest', log, setUp: ingest.setUp, lost: ingest.lost });
  const exchangeLink = createLink({ urls, purpose: 'exchange', log, setUp: setUpExchange, lost: loseExchange });

  return {
    urls: {},
    get isUp() {
      return ingestLink.isUp && exchangeLink.isUp;
    },
    get canPublish() {
      return publisher.isOpen;
    },
    isWanted: () => true, // RabbitMQ does not report subscribers
    async start(events) {
      ingest.start(events);
      evictions.start();
      // Before all others, so that the link is up only when revocations are received.
      await watches.watch(revocationTopic, (tokenId) => void evictions.evictToken(tokenId));
      await spending.start();
      await Promise.all([ingestLink.start(), exchangeLink.start()]);
    },
    publish: publisher.publish,
    async disconnect(client) {
      if ('serial' in client) return evictions.evict(client.serial);
      if ('members' in client) return evictions.evictMembers();
      if (client.tokenId === undefined) return evictions.evict(client.identityId);
      publisher.publish(revocationTopic, client.tokenId); // the process that admitted it knows its connections
      await evictions.evictToken(client.tokenId);
    },
    shared: {
      watch: watches.watch,
      onMissed: (listener) => missed.add(listener),
      spending,
      admitted: evictions.admitted,
      figures: () => ({ ...ingest.figures, ...publisher.figures }),
    },
    drain: async () => {}, // its clients are connected to RabbitMQ
    async close() {
      evictions.close();
      await ingest.drain();
      await Promise.all([ingestLink.close(), exchangeLink.close()]);
    },
  };
}
