import { counter, gauge, type Registry } from '#lib/metrics/registry.ts';
import type { CloudTransport } from '../broker/open-transport.ts';
import type { RabbitFigures } from '../broker/rabbitmq.ts';
import type { Transport } from '../broker/transport.ts';
import type { Streams } from '../telemetry/streams.ts';

/**
 * Counts the gateways that come to the broker and go. RabbitMQ tells nobody who connected: of one that is shared there
 * is no figure rather than a wrong one.
 */
export function countGateways(opened: CloudTransport, registry: Registry): CloudTransport {
  const { transport, isShared } = opened;
  if (isShared) return opened;
  let connected = 0;
  registry.add(
    gauge('gateways_connected', 'Gateways that are connected to the broker of this process', () => connected),
  );
  const start: Transport['start'] = (events) =>
    transport.start({
      ...events,
      presence(serial, isConnected) {
        connected += isConnected ? 1 : -1;
        events.presence(serial, isConnected);
      },
    });
  return { ...opened, transport: Object.create(transport, { start: { value: start } }) as Transport };
}

/** Counts messages between this process and RabbitMQ. */
export function countMessages(figures: () => RabbitFigures, registry: Registry): void {
  registry.add(
    counter('broker_published_total', 'Messages that this process sent to RabbitMQ', () => figures().published),
    counter(
      'broker_publish_dropped_total',
      'Messages not sent to RabbitMQ because it was unreachable or congested',
      () => figures().dropped,
    ),
    counter(
      'broker_dead_letters_total',
      'Messages that this process moved to the dead letters',
      () => figures().poisoned,
    ),
  );
}

export function countStreams({ count }: Pick<Streams, 'count'>, registry: Registry): void {
  registry.add(gauge('streams_open', 'Open event streams', count));
}
