import type { Channel } from 'amqplib';

const maxWaiting = 10_000;
const expiresMs = 30_000; // undelivered messages are dropped after this

/** Publishes at most once. Messages that cannot be sent now are dropped and counted. */
export function createPublisher() {
  const figures = { published: 0, dropped: 0 };
  let current: Channel | undefined;
  let waiting = 0; // written while the socket buffer was full

  return {
    figures,
    get isOpen(): boolean {
      return current !== undefined && waiting < maxWaiting;
    },
    setUp(channel: Channel): void {
      waiting = 0;
      current = channel;
      channel.on('drain', () => {
        waiting = 0;
      });
    },
    lost(): void {
      current = undefined;
    },
    publish(topic: string, payload: string): boolean {
      if (!current || waiting >= maxWaiting) {
        figures.dropped++;
        return false;
      }
      // Without a QoS header, RabbitMQ delivers with the QoS of the subscription.
      const options = { persistent: false, mandatory: false, expiration: expiresMs };
      const isTaken = current.publish(exchange, routingKey(topic), Buffer.from(payload), options);
      if (!isTaken) waiting++;
      figures.published++;
      return true;
    },
  };
}

/** The exchange of RabbitMQ's MQTT plugin. */
export const exchange = 'amq.topic';

/** Translates an MQTT filter to AMQP as RabbitMQ does. Our topic levels contain no dots. */
export const routingKey = (filter: string): string => filter.replaceAll('/', '.').replaceAll('+', '*');

export const topicOf = (routingKey: string): string => routingKey.replaceAll('.', '/');
