import { platformTopic } from '#contract/topics.ts';
import { seesEverything } from '../access/caller.ts';
import type { Db } from '../store/engine.ts';
import { findGateway } from '../store/gateways.ts';
import { findIdentity } from '../store/identities.ts';
import { listOrganizationIdsOf } from '../store/organizations.ts';
import { isClientIdOf } from './client-id.ts';
import { matches } from './topic-filter.ts';
import type { Admission, BrokerClient, Login } from './transport.ts';

/** A request of a broker. EMQX and RabbitMQ use different field names. */
type Callout = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const loginOf = (callout: Callout): Login => ({
  clientId: text(callout.client_id ?? callout.clientid),
  username: text(callout.username),
  password: text(callout.password),
  address: text(callout.ip ?? callout.peerhost),
});

export async function answerAcl(callout: Callout, admission: Admission, db: Db): Promise<boolean> {
  const username = text(callout.username);
  const client = await clientOf(username, db);
  if (!client) return false;
  if (callout.action !== undefined) return mayDo(text(callout.action), text(callout.topic), client, admission);
  switch (callout.resource) {
    case undefined:
      return callout.vhost !== undefined;
    case 'topic':
      return mayDo(text(callout.permission), topicOf(text(callout.routing_key)), client, admission);
    case 'exchange':
      return callout.name === 'amq.topic' && callout.permission !== 'configure';
    case 'queue':
      return isOwnQueue(text(callout.name), username);
    default:
      return false;
  }
}

/** Returns the serial of a gateway that is about to subscribe to the platform topic; undefined for other requests. */
export function newListener(callout: Callout): string | undefined {
  const serial = text(callout.username);
  const isRead = callout.action === 'subscribe' || (callout.resource === 'topic' && callout.permission === 'read');
  const filter = callout.action === undefined ? topicOf(text(callout.routing_key)) : text(callout.topic);
  return isRead && !serial.startsWith('idt-') && matches(filter, platformTopic(serial)) ? serial : undefined;
}

function mayDo(action: string, topic: string, client: BrokerClient, admission: Admission): boolean {
  if (action === 'publish' || action === 'write') return admission.mayPublish(client, topic);
  if (action === 'subscribe' || action === 'read') return admission.maySubscribe(client, topic);
  return false;
}

/** Converts a routing key of RabbitMQ to an MQTT topic: dots separate levels, a star matches one. */
const topicOf = (routingKey: string): string => routingKey.replaceAll('.', '/').replaceAll('*', '+');

/** Returns whether a queue belongs to the client: RabbitMQ names subscription queues after the client id. */
function isOwnQueue(name: string, username: string): boolean {
  const clientId = /^mqtt-subscription-(.+)qos[01]$/.exec(name)?.[1];
  return clientId !== undefined && isClientIdOf(username, clientId);
}

async function clientOf(username: string, db: Db): Promise<BrokerClient | undefined> {
  if (username.startsWith('idt-')) {
    const identity = await findIdentity(db, username);
    if (!identity || identity.disabled_at !== null) return undefined;
    const caller = { identityId: identity.id, type: identity.type, tokenId: '', expiresAt: 0 };
    const orgIds = seesEverything(caller) ? 'every' : await listOrganizationIdsOf(db, username, '');
    return { kind: 'member', identityId: username, tokenId: '', orgIds };
  }
  const gateway = await findGateway(db, username);
  return gateway?.org_id ? { kind: 'gateway', serial: username } : undefined;
}
