import type { Channel } from 'amqplib';
import { routingKey } from './routing-key.ts';

const waitingMessages = 10_000;
const expiresMs = 30_000; // what a client has not taken by then, it takes no more

export type Publisher = {
  setUp(channel: Channel): void;
  lost(): void;
  publish(topic: string, payload: string): void;
  readonly figures: { published: number; dropped: number };
};

/** Publishes at most once. What cannot go out now is dropped and counted. */
export function createPublisher(exchange: string): Publisher {
  const figures = { published: 0, dropped: 0 };
  let current: Channel | undefined;
  let waiting = 0; // written while the socket took no more

  return {
    figures,
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
      if (!current || waiting >= waitingMessages) return void figures.dropped++;
      // Without the header for it, RabbitMQ delivers with the quality the subscriber asked for.
      const options = { persistent: false, mandatory: false, expiration: expiresMs };
      const isTaken = current.publish(exchange, routingKey(topic), Buffer.from(payload), options);
      if (!isTaken) waiting++;
      figures.published++;
    },
  };
}
