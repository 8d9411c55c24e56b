import type { Channel } from 'amqplib';
import { gatewayFilters } from '#contract/topics.ts';
import { exchange, routingKey } from './routing-key.ts';

export const ingestQueue = 'ohmstead.ingest';
export const deadQueue = 'ohmstead.ingest.dead';

// Fixed when the queue is first declared; RabbitMQ refuses to declare it differently later.
const ingestArguments = {
  'x-queue-type': 'quorum',
  'x-max-length-bytes': 4 * 1024 ** 3,
  'x-overflow': 'reject-publish', // when full, gateways are refused and keep what they have
  'x-delivery-limit': 200, // for what ends its process each time; each loss of a process counts too
  'x-dead-letter-exchange': '',
  'x-dead-letter-routing-key': deadQueue,
  'x-dead-letter-strategy': 'at-least-once',
};
const deadArguments = { 'x-queue-type': 'quorum', 'x-max-length': 100_000, 'x-overflow': 'drop-head' };

/** Declares the queue that all processes of the platform share; tells how many dead letters there are. */
export async function declareIngest(channel: Channel): Promise<number> {
  const dead = await channel.assertQueue(deadQueue, { durable: true, arguments: deadArguments });
  await channel.assertQueue(ingestQueue, { durable: true, arguments: ingestArguments });
  for (const filter of gatewayFilters) await channel.bindQueue(ingestQueue, exchange, routingKey(filter));
  return dead.messageCount;
}
