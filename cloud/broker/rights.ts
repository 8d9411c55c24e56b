import { derControlFilter, parseGatewayTopic, telemetryAckTopic } from '#contract/topics.ts';
import { includes, isTopic, matches, unshared } from './topic-filter.ts';
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
  return readableBy(client, filter).some((allowed) => includes(allowed, filter));
}

/** Returns the filters a client may read that could include this one. */
function readableBy(client: Client, filter: string): string[] {
  if (client.kind === 'gateway') return [`control/${client.serial}/#`, ...platformTopics(client.serial)];
  if (client.orgIds === 'every') return ['orgs/+/#'];
  // Only one organization can match; comparing with all of them would cost filters × organizations for one packet.
  const orgId = unshared(filter).split('/', 2)[1];
  return orgId !== undefined && client.orgIds.includes(orgId) ? [`orgs/${orgId}/#`] : [];
}

/** What the platform alone says below a gateway's serial. */
const platformTopics = (serial: string): string[] => [telemetryAckTopic(serial), derControlFilter(serial)];
