import { counter, gauge, type Registry } from '#lib/metrics/registry.ts';
import type { Transport } from '../broker/transport.ts';

/** Counts the gateways and messages of the broker, as far as it knows them: RabbitMQ does not report connections. */
export function addBrokerMetrics(transport: Transport, registry: Registry): void {
  if (transport.connectedGateways !== undefined) {
    const help = 'Gateways that are connected to the broker of this process';
    registry.add(gauge('gateways_connected', help, () => transport.connectedGateways ?? 0));
  }
  const figures = transport.shared?.figures;
  if (!figures) return;
  const dropped = 'Messages not sent to RabbitMQ because it was unreachable or congested';
  registry.add(
    counter('broker_published_total', 'Messages that this process sent to RabbitMQ', () => figures().published),
    counter('broker_publish_dropped_total', dropped, () => figures().dropped),
  );
  if (figures().poisoned === undefined) return;
  const poisoned = 'Messages that this process moved to the dead letters';
  registry.add(counter('broker_dead_letters_total', poisoned, () => figures().poisoned ?? 0));
}
