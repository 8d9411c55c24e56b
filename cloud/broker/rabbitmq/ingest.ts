import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, ChannelModel, ConsumeMessage, Message } from 'amqplib';
import { gatewayFilters, parseGatewayTopic } from '#contract/topics.ts';
import { createFailureLog } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import { isConnectionFault } from '../../store/connection-fault.ts';
import type { TransportEvents } from '../transport.ts';
import { exchange, routingKey, topicOf } from './publisher.ts';

type Settlement = ReturnType<typeof createSettlement>;

type State = 'open' | 'stored' | 'held';

/** Acknowledges stored deliveries: all up to the first open one in one frame, those behind a held one individually. */
export function createSettlement(channel: Pick<Channel, 'ack' | 'nack'>) {
  const states = new Map<number, State>(); // by delivery tag, in the order of delivery
  const waiting: (() => void)[] = [];
  let held = 0;
  let isScheduled = false;
  let isEnded = false;

  function change(tag: number, state?: State): void {
    if (states.get(tag) === 'held') held--;
    if (state === 'held') held++;
    if (state) states.set(tag, state);
    else states.delete(tag);
    if (isScheduled || isEnded) return;
    isScheduled = true;
    setImmediate(flush); // messages of a batch are stored together, so they are acknowledged together
  }

  function flush(): void {
    isScheduled = false;
    if (isEnded) return;
    let last = 0;
    for (const [tag, state] of states) {
      if (state !== 'stored') break;
      states.delete(tag);
      last = tag;
    }
    if (last > 0) channel.ack(delivery(last), true);
    if (held > 0) {
      for (const [tag, state] of states) {
        if (state !== 'stored') continue;
        states.delete(tag);
        channel.ack(delivery(tag));
      }
    }
    if (states.size === 0) for (const resolve of waiting.splice(0)) resolve();
  }

  return {
    opened: (tag: number): void => void states.set(tag, 'open'),
    stored: (tag: number): void => change(tag, 'stored'),
    /** Marks a failed delivery that will be retried; later ones do not wait for it. */
    held: (tag: number): void => change(tag, 'held'),
    setAside(tag: number): void {
      if (isEnded) return;
      channel.nack(delivery(tag), false, false);
      change(tag);
    },
    async settled(): Promise<void> {
      if (states.size > 0 && !isEnded) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    /** Ends with the channel: the broker delivers open messages again. */
    end(): void {
      isEnded = true;
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

// The library takes the message but reads only its tag.
const delivery = (deliveryTag: number): Message => ({ fields: { deliveryTag } }) as Message;

const maxUnacknowledged = 2_000; // deliveries to this process
const drainMs = 5_000;
const minRetryMs = 250;
const maxRetryMs = 30_000;
const recentMs = 1_000; // a message written this recently proves that the store works

const outcomeMessages = { failed: 'message not stored, will be retried', again: 'messages are stored again' };

type IngestOptions = { poisonAfter: number; log: Logger };

export function createIngest({ poisonAfter, log }: IngestOptions) {
  const figures = { stored: 0, poisoned: 0 };
  let events: TransportEvents;
  let current: { channel: Channel; settlement: Settlement; consumerTag: string } | undefined;
  const newKind = () => ({ writtenAt: Number.NEGATIVE_INFINITY, outcome: createFailureLog(log, outcomeMessages) });
  const kinds = new Map<string, ReturnType<typeof newKind>>();

  async function handle(delivery: ConsumeMessage, settlement: Settlement, isOver: () => boolean): Promise<void> {
    const tag = delivery.fields.deliveryTag;
    const topic = topicOf(delivery.fields.routingKey);
    // Failures are tracked by kind: log lines may be stored while readings cannot.
    const name = parseGatewayTopic(topic)?.kind ?? 'unknown';
    const kind = kinds.get(name) ?? newKind();
    kinds.set(name, kind);
    let failures = 0;
    settlement.opened(tag);
    for (let attempt = 1; ; attempt++) {
      try {
        const isWritten = await events.message({ topic, payload: delivery.content });
        figures.stored++;
        if (isWritten) {
          kind.writtenAt = performance.now(); // dropped messages do not prove that the store works
          kind.outcome.succeeded({ kind: name });
        }
        return settlement.stored(tag);
      } catch (error) {
        kind.outcome.failed(error, { topic });
        // While no message of its kind is written, or the server that stores it is down, the message waits. The delivery
        // count of the broker does not help: it includes channels lost in an outage.
        const areOthersWritten = performance.now() - kind.writtenAt < recentMs;
        if (areOthersWritten && !isConnectionFault(error)) failures++;
      }
      if (failures >= poisonAfter) break;
      settlement.held(tag);
      await sleep(retryMs(attempt), undefined, { ref: false });
      if (isOver()) return;
    }
    if (isOver()) return;
    settlement.setAside(tag);
    figures.poisoned++;
    log.error({ topic, failures }, 'message set aside as a dead letter');
  }

  return {
    figures,
    start(of: TransportEvents): void {
      events = of;
    },
    async setUp(connection: ChannelModel): Promise<void> {
      const channel = await connection.createChannel();
      channel.on('error', (error) => log.warn({ err: error }, 'broker channel failed'));
      const settlement = createSettlement(channel);
      let isOver = false;
      channel.on('close', () => {
        isOver = true;
        settlement.end();
        void connection.close().catch(() => undefined);
      });
      await channel.prefetch(maxUnacknowledged);
      const dead = await declareIngest(channel);
      if (dead > 0) log.warn({ dead }, 'dead letters are waiting');
      const consumerTag = randomUUID();
      current = { channel, settlement, consumerTag };
      const take = (delivery: ConsumeMessage | null) => {
        if (delivery) void handle(delivery, settlement, () => isOver);
        else channel.close().catch(() => undefined); // the queue was deleted; it is declared again
      };
      await channel.consume(ingestQueue, take, { consumerTag });
    },
    lost(): void {
      current?.settlement.end();
      current = undefined;
    },
    /** Stops consuming and waits up to 5 s for unsettled messages. */
    async drain(): Promise<void> {
      if (!current) return;
      const { channel, settlement, consumerTag } = current;
      await channel.cancel(consumerTag).catch(() => undefined);
      await Promise.race([settlement.settled(), sleep(drainMs, undefined, { ref: false })]);
    },
  };
}

const retryMs = (count: number): number =>
  Math.min(maxRetryMs, minRetryMs * 2 ** (count - 1)) * (0.5 + Math.random() / 2);

export const ingestQueue = 'ohmstead.ingest';
export const deadQueue = 'ohmstead.ingest.dead';

// Fixed when the queue is first declared; RabbitMQ refuses to declare it differently later.
const ingestArguments = {
  'x-queue-type': 'quorum',
  'x-max-length-bytes': 4 * 1024 ** 3,
  'x-overflow': 'reject-publish', // when full, gateways are refused and keep their messages
  'x-delivery-limit': 200, // for messages that crash the process; every lost process counts
  'x-dead-letter-exchange': '',
  'x-dead-letter-routing-key': deadQueue,
  'x-dead-letter-strategy': 'at-least-once',
};
const deadArguments = { 'x-queue-type': 'quorum', 'x-max-length': 100_000, 'x-overflow': 'drop-head' };

/** Declares the queue that all processes share. Returns the number of dead letters. */
async function declareIngest(channel: Channel): Promise<number> {
  const dead = await channel.assertQueue(deadQueue, { durable: true, arguments: deadArguments });
  await channel.assertQueue(ingestQueue, { durable: true, arguments: ingestArguments });
  for (const filter of gatewayFilters) await channel.bindQueue(ingestQueue, exchange, routingKey(filter));
  return dead.messageCount;
}
