import type { Channel } from 'amqplib';
import type { Logger } from '#lib/log.ts';
import { hasWildcard, matches, routingKey, topicOf } from './routing-key.ts';

type Listener = (topic: string, payload: string) => void;

export type Watches = {
  /** Resolves when the first filter is followed; the others are bound after that, each in its turn. */
  setUp(channel: Channel): Promise<void>;
  lost(): void;
  watch(filter: string, listener: Listener): Promise<() => void>;
};

// For a process that does not keep up: the oldest go first.
const waitingMessages = 10_000;

/** What is published anywhere, for the viewers of this process: one queue, bound to what they look at. */
export function createWatches(exchange: string, log: Logger): Watches {
  const listeners = new Map<string, Set<Listener>>();
  const patterns = new Set<string>(); // those of the filters that have wildcards
  let open: { channel: Channel; queue: string } | undefined;

  async function bind(filter: string): Promise<void> {
    await open?.channel.bindQueue(open.queue, exchange, routingKey(filter));
  }

  /** One round trip each, so with many viewers this takes a while. */
  async function bindAll(filters: readonly string[], channel: Channel): Promise<void> {
    for (const filter of filters) {
      if (open?.channel !== channel) return; // all are bound again with the next connection
      if (listeners.has(filter)) await bind(filter);
    }
  }

  function unbind(filter: string): void {
    listeners.delete(filter);
    patterns.delete(filter);
    void open?.channel.unbindQueue(open.queue, exchange, routingKey(filter)).catch(() => undefined);
  }

  function tell(topic: string, payload: string): void {
    for (const listener of listeners.get(topic) ?? []) listener(topic, payload);
    for (const pattern of patterns) {
      if (!matches(pattern, topic)) continue;
      for (const listener of listeners.get(pattern) ?? []) listener(topic, payload);
    }
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
    async watch(filter, listener) {
      const own: Listener = (topic, payload) => {
        try {
          listener(topic, payload);
        } catch (error) {
          log.error({ err: error, topic }, 'a listener failed'); // it must not take the connection of all others with it
        }
      };
      const present = listeners.get(filter) ?? new Set();
      listeners.set(filter, present.add(own));
      if (hasWildcard(filter)) patterns.add(filter);
      await bind(filter).catch(() => undefined); // lost meanwhile; bound again with the next connection
      return () => {
        present.delete(own);
        if (present.size === 0 && listeners.get(filter) === present) unbind(filter);
      };
    },
  };
}
