import { Gauge, type Registry } from 'prom-client';
import type { CloudTransport } from '../broker/open-transport.ts';
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
