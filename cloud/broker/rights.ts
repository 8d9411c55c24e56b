import { derControlFilter, parseGatewayTopic, telemetryAckTopic } from '#contract/topics.ts';
import { includes, isTopic, matches } from './topic-filter.ts';
import type { Client } from './transport.ts';

const mostTopicCharacters = 512; // the longest of ours: a serial of 64, a hardware id of 128, a DER of 64, and the words

/** Gateways speak below their own serial, but not where the platform speaks; members only listen. */
export function mayPublish(client: Client, topic: string): boolean {
  if (client.kind !== 'gateway' || topic.length > mostTopicCharacters || !isTopic(topic)) return false;
  const said = parseGatewayTopic(topic);
  if (said) return said.serial === client.serial;
  if (topic.split('/').includes('')) return false;
  const isBelowOwn = topic.startsWith(`gateways/${client.serial}/`);
  return isBelowOwn && !platformTopics(client.serial).some((filter) => matches(filter, topic));
}

export function maySubscribe(client: Client, filter: string): boolean {
  return readableBy(client).some((allowed) => includes(allowed, filter));
}

function readableBy(client: Client): string[] {
  if (client.kind === 'gateway') return [`control/${client.serial}/#`, ...platformTopics(client.serial)];
  return client.orgIds === 'every' ? ['orgs/+/#'] : client.orgIds.map((id) => `orgs/${id}/#`);
}

/** What the platform alone says below a gateway's serial. */
const platformTopics = (serial: string): string[] => [telemetryAckTopic(serial), derControlFilter(serial)];
