import '#lib/mqtt-packet-cache.ts';
import { Aedes } from 'aedes';
import { platformMessage, platformTopic } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { matches } from '../topic-filter.ts';
import type { Admission, TransportEvents } from '../transport.ts';
import { deliveryHooks, loginHooks, publishHook } from './aedes-hooks.ts';
import { BrokerConnection } from './connection.ts';
import { createConnections } from './connections.ts';
import type { BrokerLimits } from './limits.ts';
import type { Accept } from './listeners.ts';
import { enforceProtocol } from './protocol.ts';
import { createPublishLane } from './publish-lane.ts';
import { guardReading } from './read-guard.ts';

type ReceptionDeps = { admission: Admission; events: TransportEvents; limits: BrokerLimits; clock: Clock; log: Logger };

export function createReception({ admission, events, limits, clock, log }: ReceptionDeps) {
  const connections = createConnections(events.presence, limits);
  const aedes = new Aedes({
    concurrency: 0, // unlimited: otherwise a stalled subscriber blocks the messages of all others
    connectTimeout: limits.connectMs,
    drainTimeout: limits.stalledMs,
    ...loginHooks({ admission, connections }),
    ...deliveryHooks({ admission, connections, limits, log }),
    authorizePublish: publishHook({ admission, connections, limits, receive: events.message }),
  });

  aedes.on('clientReady', (mqtt) => connections.ready(mqtt));
  aedes.on('subscribe', (subscriptions, mqtt) => {
    const client = connections.of(mqtt)?.client;
    if (client?.kind !== 'gateway') return;
    const topic = platformTopic(client.serial);
    if (!subscriptions.some((granted) => granted.qos === 0 && matches(granted.topic, topic))) return;
    const payload = platformMessage(admission.deploymentId);
    mqtt.publish({ cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false }, () => {});
  });
  aedes.on('clientError', ({ id }, error) => log.debug({ id, err: error }, 'connection ended by an error'));
  aedes.on('connectionError', (_, error) => log.debug({ err: error }, 'connection ended by an error before its login'));
  (aedes as NodeJS.EventEmitter).on('error', (error) => log.error({ err: error }, 'broker failed'));

  const accept: Accept = (stream, address = '') => {
    if (stream.destroyed) return;
    const expiresAt = clock.now() + limits.connectMs;
    const connection = new BrokerConnection({ mqtt: aedes.handle(stream), stream, address, expiresAt });
    connections.add(connection);
    enforceProtocol(connection.mqtt);
    connection.resume = guardReading(stream, {
      packetBytes: limits.packetBytes,
      mayRead: () => (connection.owner?.unstored ?? 0) < limits.unstored && !stream.writableNeedDrain,
      lane: createPublishLane(connection, { admission, limits, receive: events.message }),
    });
    stream.once('close', () => {
      connections.remove(connection);
      const { username, missed } = connection;
      if (missed > 0) log.warn({ username, missed }, 'slow subscriber disconnected');
    });
  };

  return { aedes, connections, accept };
}
