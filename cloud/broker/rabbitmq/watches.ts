import type { Channel } from 'amqplib';
import type { Logger } from '#lib/log.ts';
import { exchange, routingKey, topicOf } from './publisher.ts';

type Listener = (payload: string) => void;

// For a process that is too slow: the oldest messages are dropped first.
const maxWaiting = 10_000;

/** Receives messages of all processes for the viewers of this one: a queue, bound to the topics they watch. */
export function createWatches(log: Logger) {
  const listeners = new Map<string, Set<Listener>>();
  let open: { channel: Channel; queue: string } | undefined;

  async function bind(topic: string): Promise<void> {
    await open?.channel.bindQueue(open.queue, exchange, routingKey(topic));
  }

  /** Takes one round trip per topic. */
  async function bindAll(topics: readonly string[], channel: Channel): Promise<void> {
    for (const topic of topics) {
      if (open?.channel !== channel) return; // the next connection binds all again
      if (listeners.has(topic)) await bind(topic);
    }
  }

  function unbind(topic: string): void {
    listeners.delete(topic);
    void open?.channel.unbindQueue(open.queue, exchange, routingKey(topic)).catch(() => undefined);
  }

  function deliver(topic: string, payload: string): void {
    for (const listener of listeners.get(topic) ?? []) listener(payload);
  }

  return {
    /** Resolves when the first topic is bound; the others follow one by one. */
    async setUp(channel: Channel): Promise<void> {
      const { queue } = await channel.assertQueue('', {
        exclusive: true,
        autoDelete: true,
        durable: false,
        arguments: { 'x-max-length': maxWaiting, 'x-overflow': 'drop-head' },
      });
      await channel.consume(
        queue,
        (delivery) => {
          if (delivery) deliver(topicOf(delivery.fields.routingKey), delivery.content.toString());
          else channel.close().catch(() => undefined); // the queue was deleted; it is declared again
        },
        { noAck: true },
      );
      open = { channel, queue };
      const [first, ...others] = listeners.keys();
      if (first !== undefined) await bind(first);
      bindAll(others, channel).catch((error) => log.debug({ err: error }, 'some topics are not bound again yet'));
    },
    lost(): void {
      open = undefined;
    },
    async watch(topic: string, listener: Listener): Promise<() => void> {
      const own: Listener = (payload) => {
        try {
          listener(payload);
        } catch (error) {
          log.error({ err: error, topic }, 'listener failed'); // must not close the connection of all others
        }
      };
      const present = listeners.get(topic) ?? new Set();
      listeners.set(topic, present.add(own));
      await bind(topic).catch(() => undefined); // connection lost; the next one binds it again
      return () => {
        present.delete(own);
        if (present.size === 0 && listeners.get(topic) === present) unbind(topic);
      };
    },
  };
}
