import type { Channel } from 'amqplib';

const waitingMessages = 10_000;
const expiresMs = 30_000; // what a client has not taken by then, it takes no more

export type Publisher = {
  setUp(channel: Channel): void;
  lost(): void;
  /** What is published now goes out. */
  readonly isOpen: boolean;
  /** Tells whether it went out. */
  publish(topic: string, payload: string): boolean;
  readonly figures: { published: number; dropped: number };
};

/** Publishes at most once. What cannot go out now is dropped and counted. */
export function createPublisher(): Publisher {
  const figures = { published: 0, dropped: 0 };
  let current: Channel | undefined;
  let waiting = 0; // written while the socket took no more

  return {
    figures,
    get isOpen() {
      return current !== undefined && waiting < waitingMessages;
    },
    setUp(channel) {
      waiting = 0;
      current = channel;
      channel.on('drain', () => {
        waiting = 0;
      });
    },
    lost() {
      current = undefined;
    },
    publish(topic, payload) {
      if (!current || waiting >= waitingMessages) {
        figures.dropped++;
        return false;
      }
      // Without the header for it, RabbitMQ delivers with the quality the subscriber asked for.
      const options = { persistent: false, mandatory: false, expiration: expiresMs };
      const isTaken = current.publish(exchange, routingKey(topic), Buffer.from(payload), options);
      if (!isTaken) waiting++;
      figures.published++;
      return true;
    },
  };
}

/** Where the MQTT plugin of RabbitMQ publishes and subscribes. */
export const exchange = 'amq.topic';

/** RabbitMQ's own translation between MQTT and AMQP. No level of our topics contains a dot. */
export const routingKey = (filter: string): string => filter.replaceAll('/', '.').replaceAll('+', '*');

export const topicOf = (routingKey: string): string => routingKey.replaceAll('.', '/');
