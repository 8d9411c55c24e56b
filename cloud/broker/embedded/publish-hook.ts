import { setTimeout as delay } from 'node:timers/promises';
import type { AedesOptions, PublishPacket } from 'aedes';
import { parseGatewayTopic } from '#contract/topics.ts';
import type { Admission, Message } from '../transport.ts';
import type { Owner } from './connection.ts';
import type { Connections } from './connections.ts';
import { type BrokerLimits, weightOf } from './limits.ts';
import { releaseUnstored } from './owners.ts';
import { waitFor } from './pace.ts';

type PublishHook = NonNullable<AedesOptions['authorizePublish']>;

type PublishDeps = {
  admission: Admission;
  connections: Connections;
  limits: BrokerLimits;
  receive(message: Message): Promise<unknown>;
};

/**
 * Takes in what gateways publish. Aedes acknowledges a message once this hook calls back, so it does when the message is
 * stored; an error closes the connection without acknowledgement, and the gateway sends again. Last wills come here too.
 */
export function publishHook({ admission, connections, limits, receive }: PublishDeps): PublishHook {
  async function take(owner: Owner, packet: PublishPacket): Promise<void> {
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload;
    packet.retain = false;
    const weight = weightOf(payload);
    owner.unstored += weight;
    try {
      const waitMs = waitFor(owner, weight, limits.messagesPerSecond);
      if (waitMs > 0) await delay(waitMs);
      if (parseGatewayTopic(packet.topic)) await receive({ topic: packet.topic, payload });
    } finally {
      releaseUnstored(owner, weight);
    }
  }

  return (mqtt, packet, done) => {
    const connection = connections.of(mqtt);
    const { client, owner } = connection ?? {};
    if (client?.kind !== 'gateway' || !owner || !admission.mayPublish(client, packet.topic)) {
      return done(new Error('The client may not publish to this topic.'));
    }
    take(owner, packet).then(() => done(null), done);
  };
}
