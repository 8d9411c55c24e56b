import { Counter, Gauge, type Registry } from 'prom-client';
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
  const connected = new Gauge({
    name: 'gateways_connected',
    help: 'Gateways that are connected to the broker of this process',
    registers: [registry],
  });
  const start: Transport['start'] = (events) =>
    transport.start({
      ...events,
      presence(serial, isConnected) {
        connected.inc(isConnected ? 1 : -1);
        events.presence(serial, isConnected);
      },
    });
  return { ...opened, transport: Object.create(transport, { start: { value: start } }) as Transport };
}

const ofBroker: Partial<Record<keyof RabbitFigures, { name: string; help: string }>> = {
  published: { name: 'broker_published_total', help: 'Messages that this process handed to RabbitMQ' },
  dropped: {
    name: 'broker_publish_dropped_total',
    help: 'Messages that were not handed to RabbitMQ, because it was away or took no more',
  },
  poisoned: { name: 'broker_dead_letters_total', help: 'Messages that this process set aside as dead letters' },
};

/** How messages fare between this process and RabbitMQ. */
export function countMessages(figures: () => RabbitFigures, registry: Registry): void {
  for (const [figure, { name, help }] of Object.entries(ofBroker)) {
    registry.registerMetric(
      new Counter({
        name,
        help,
        registers: [],
        collect() {
          this.reset();
          this.inc(figures()[figure as keyof RabbitFigures]);
        },
      }),
    );
  }
}

export function countStreams({ count }: Pick<Streams, 'count'>, registry: Registry): void {
  registry.registerMetric(
    new Gauge({
      name: 'streams_open',
      help: 'Event streams that somebody follows',
      registers: [],
      collect() {
        this.set(count());
      },
    }),
  );
}
