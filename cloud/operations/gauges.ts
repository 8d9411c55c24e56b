import { counter, gauge, type Registry } from '#lib/metrics/registry.ts';
import type { SharedBroker, Transport } from '../broker/transport.ts';

/** Counts the gateways that are connected to the broker. RabbitMQ does not report connections, so it has no such metric. */
export function countGateways(transport: Transport, registry: Registry): Transport {
  if (transport.shared) return transport;
  let connected = 0;
  const help = 'Gateways that are connected to the broker of this process';
  registry.add(gauge('gateways_connected', help, () => connected));
  const start: Transport['start'] = (events) =>
    transport.start({
      ...events,
      presence(serial, isConnected) {
        connected += isConnected ? 1 : -1;
        events.presence(serial, isConnected);
      },
    });
  return Object.create(transport, { start: { value: start } });
}

export function countMessages(figures: SharedBroker['figures'], registry: Registry): void {
  const dropped = 'Messages not sent to RabbitMQ because it was unreachable or congested';
  const poisoned = 'Messages that this process moved to the dead letters';
  registry.add(
    counter('broker_published_total', 'Messages that this process sent to RabbitMQ', () => figures().published),
    counter('broker_publish_dropped_total', dropped, () => figures().dropped),
    counter('broker_dead_letters_total', poisoned, () => figures().poisoned),
  );
}
