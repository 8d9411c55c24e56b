import type { Channel } from 'amqplib';
import type { Logger } from '#lib/log.ts';
import { exchange, routingKey, topicOf } from './publisher.ts';

type Listener = (payload: string) => void;

export type Watches = {
  /** Resolves when the first topic is followed; the others are bound after that, each in its turn. */
  setUp(channel: Channel): Promise<void>;
  lost(): void;
  watch(topic: string, listener: Listener): Promise<() => void>;
};

// For a process that does not keep up: the oldest go first.
const waitingMessages = 10_000;

/** What is published anywhere, for the viewers of this process: one queue, bound to what they look at. */
export function createWatches(log: Logger): Watches {
  const listeners = new Map<string, Set<Listener>>();
  let open: { channel: Channel; queue: string } | undefined;

  async function bind(topic: string): Promise<void> {
    await open?.channel.bindQueue(open.queue, exchange, routingKey(topic));
  }

  /** One round trip each, so with many viewers this takes a while. */
  async function bindAll(topics: readonly string[], channel: Channel): Promise<void> {
    for (const topic of topics) {
      if (open?.channel !== channel) return; // all are bound again with the next connection
      if (listeners.has(topic)) await bind(topic);
    }
  }

  function unbind(topic: string): void {
    listeners.delete(topic);
    void open?.channel.unbindQueue(open.queue, exchange, routingKey(topic)).catch(() => undefined);
  }

  function tell(topic: string, payload: string): void {
    for (const listener of listeners.get(topic) ?? []) listener(payload);
  }

  return {
    async setUp(channel) {
      const { queue } = await channel.assertQueue('', {
        exclusive: true,
        autoDelete: true,
        durable: false,
        arguments: { 'x-max-length': waitingMessages, 'x-overflow': 'drop-head' },
      });
      await channel.consume(
        queue,
        (delivery) => {
          if (delivery) tell(topicOf(delivery.fields.routingKey), delivery.content.toString());
          else channel.close().catch(() => undefined); // the queue was deleted; it is declared again
        },
        { noAck: true },
      );
      open = { channel, queue };
      const [first, ...others] = listeners.keys();
      if (first !== undefined) await bind(first);
      bindAll(others, channel).catch((error) => log.debug({ err: error }, 'not all is followed again yet'));
    },
    lost() {
      open = undefined;
    },
    async watch(topic, listener) {
      const own: Listener = (payload) => {
        try {
          listener(payload);
        } catch (error) {
          log.error({ err: error, topic }, 'a listener failed'); // it must not take the connection of all others with it
        }
      };
      const present = listeners.get(topic) ?? new Set();
      listeners.set(topic, present.add(own));
      await bind(topic).catch(() => undefined); // lost meanwhile; bound again with the next connection
      return () => {
        present.delete(own);
        if (present.size === 0 && listeners.get(topic) === present) unbind(topic);
      };
    },
  };
}
