import type { Channel, ChannelModel } from 'amqplib';
import type { Logger } from '#lib/log.ts';
import { createLink } from '../rabbitmq/link.ts';
import { type Frame, packFrames, unpackFrames } from './frames.ts';
import { aliveMs, type InterestMessage, Interests } from './interests.ts';

type Listener = (payload: string, topic: string) => void;

export type BusOptions = { urls: readonly string[]; nodeId: string; log: Logger; onJoined(): void };

export type Bus = ReturnType<typeof createBus>;

const exchange = 'ohmstead.bus';
const everyone = 'all'; // routing key; others are ids of processes
const interestTopic = 'bus';
const gatherMs = 5; // messages to one process are sent together
const maxFrames = 500; // of one message
const maxWaiting = 16 * 1024 * 1024; // characters for one process while RabbitMQ takes none; further ones are dropped
const keptMs = 2000; // after the last listener: clients that come and go must not cost every process a message
const maxQueued = 10_000; // messages for a process that is too slow: RabbitMQ drops the oldest
const expiresMs = 30_000;

/**
 * Carries messages between the processes of one platform through RabbitMQ, at most once. A message is sent only to processes
 * that watch its topic; without any it costs nothing. Each process has a queue of its own that ends with its connection.
 */
export function createBus({ urls, nodeId, log, onJoined }: BusOptions) {
  const listeners = new Map<string, { all: Set<Listener>; known: Promise<void> }>();
  const waiting = new Map<string, { frames: Frame[]; size: number }>(); // by the process they are for
  const figures = { sent: 0, dropped: 0 };
  const missed = new Set<() => void>();
  const interests = new Interests({
    send: (message, to = everyone) => {
      put(to, { topic: interestTopic, payload: JSON.stringify(message) });
      flush(to);
    },
    now: () => performance.now(),
    soon: (work) => setTimeout(work, 2 * gatherMs),
    onMissed: sayMissed,
  });
  let channel: Channel | undefined;
  let isFull = false;
  let hasJoined = false;
  let gathering: NodeJS.Timeout | undefined;
  let ticking: NodeJS.Timeout | undefined;

  function put(to: string, frame: Frame): void {
    const present = waiting.get(to) ?? { frames: [], size: 0 };
    const isTaken = channel !== undefined && present.size < maxWaiting;
    if (frame.topic !== interestTopic) figures[isTaken ? 'sent' : 'dropped']++;
    if (!isTaken) return;
    present.frames.push(frame);
    present.size += frame.topic.length + frame.payload.length;
    waiting.set(to, present);
    gathering ??= setTimeout(flushAll, gatherMs);
    if (present.frames.length >= maxFrames) flush(to);
  }

  function flushAll(): void {
    gathering = undefined;
    for (const to of waiting.keys()) flush(to);
  }

  function flush(to: string): void {
    const { frames } = waiting.get(to) ?? {};
    if (!frames || !channel || isFull) return;
    waiting.delete(to);
    for (let first = 0; first < frames.length; first += maxFrames) {
      const some = frames.slice(first, first + maxFrames);
      const options = { appId: nodeId, persistent: false, expiration: expiresMs };
      if (!channel.publish(exchange, to, packFrames(some), options)) isFull = true;
    }
  }

  function receive(from: string, content: Buffer): void {
    for (const { topic, payload } of unpackFrames(content)) {
      if (topic === interestTopic) interests.receive(from, JSON.parse(payload) as InterestMessage);
      else deliver(topic, payload);
    }
  }

  function deliver(topic: string, payload: string): void {
    const found = new Set(keysOf(topic).flatMap((key) => [...(listeners.get(key)?.all ?? [])]));
    for (const listener of found) {
      try {
        listener(payload, topic);
      } catch (error) {
        log.error({ err: error, topic }, 'listener failed'); // must not close the connection of all others
      }
    }
  }

  function forget(key: string, all: ReadonlySet<Listener>): void {
    if (all.size > 0 || listeners.get(key)?.all !== all) return;
    listeners.delete(key);
    interests.remove(key);
  }

  async function setUp(connection: ChannelModel): Promise<void> {
    const opened = await connection.createChannel();
    opened.on('error', (error) => log.warn({ err: error }, 'bus channel failed'));
    opened.on('close', () => {
      lost();
      void connection.close().catch(() => undefined);
    });
    opened.on('drain', () => {
      isFull = false;
      flushAll();
    });
    await opened.assertExchange(exchange, 'direct', { durable: false, autoDelete: true });
    const { queue } = await opened.assertQueue('', {
      exclusive: true,
      autoDelete: true,
      durable: false,
      arguments: { 'x-max-length': maxQueued, 'x-overflow': 'drop-head' },
    });
    for (const key of [nodeId, everyone]) await opened.bindQueue(queue, exchange, key);
    await opened.consume(
      queue,
      (delivery) => {
        if (!delivery) return void opened.close().catch(() => undefined); // the queue was deleted; it is declared again
        const from: unknown = delivery.properties.appId;
        if (typeof from === 'string' && from !== nodeId) receive(from, delivery.content);
      },
      { noAck: true },
    );
    channel = opened;
    isFull = false;
    interests.join();
    onJoined();
    if (hasJoined) sayMissed();
    hasJoined = true;
  }

  function sayMissed(): void {
    for (const listener of missed) listener();
  }

  function lost(): void {
    channel = undefined;
    waiting.clear();
    interests.forget();
  }

  const link = createLink({ urls, purpose: 'bus', log, setUp, lost });

  return {
    get isUp(): boolean {
      return channel !== undefined;
    },
    /** the number of other processes */
    get peers(): number {
      return interests.peers;
    },
    figures,
    /** whether this or another process watches a topic */
    isWanted: (topic: string): boolean => keysOf(topic).some((key) => listeners.has(key) || interests.isWanted(key)),

    /** Delivers to all that watch the topic, also in this process. */
    publish(topic: string, payload: string): void {
      deliver(topic, payload);
      for (const node of new Set(keysOf(topic).flatMap((key) => interests.wanting(key)))) put(node, { topic, payload });
    },

    /** Watches a topic, or all topics of an organization (see `keysOf`). Resolves when all other processes know. */
    async watch(key: string, listener: Listener): Promise<() => void> {
      const { all, known } = listeners.get(key) ?? { all: new Set(), known: interests.add(key) };
      listeners.set(key, { all: all.add(listener), known });
      await known;
      return () => {
        all.delete(listener);
        if (all.size === 0) setTimeout(() => forget(key, all), keptMs).unref();
      };
    },

    /** Calls back when messages of other processes may have been missed. */
    onMissed: (listener: () => void): unknown => missed.add(listener),

    async start(): Promise<void> {
      ticking = setInterval(() => interests.tick(), aliveMs).unref();
      await link.start();
    },

    async close(): Promise<void> {
      interests.leave();
      clearInterval(ticking);
      clearTimeout(gathering);
      await link.close();
    },
  };
}

/** Members subscribe to organizations, and administrators to all: those count, not each topic below them. */
export const everyOrganization = 'orgs/+';

function keysOf(topic: string): readonly string[] {
  if (!topic.startsWith('orgs/')) return [topic];
  const [root, organization] = topic.split('/', 2);
  return [`${root}/${organization}`, everyOrganization];
}
