import { dropReasons, type Status } from '#contract/gateway/status.ts';
import { getHealth, getMetrics, getReady } from '#contract/operations.ts';
import type { Clock } from '#lib/clock.ts';
import { counter, gauge, type Metric, type Registry } from '#lib/metrics/registry.ts';
import type { LocalMount } from './access/door.ts';
import type { Devices } from './devices/devices.ts';
import type { ModbusBuses } from './links/modbus/buses.ts';

type Measured = {
  devices: Pick<Devices, 'list'>;
  buses: Pick<ModbusBuses, 'counters'>;
  uplink(): Status['uplink'];
  control(): Status['control'];
  clock: Clock;
};

export type OperationsDeps = Measured & { registry: Registry; version: string };

export function operationsRoutes(mount: LocalMount, { registry, version, ...measured }: OperationsDeps): void {
  const startedAt = performance.now();
  registry.add(...deviceMetrics(measured), ...uplinkMetrics(measured), controlMetric(measured));

  mount(getHealth, () => ({
    status: 'healthy' as const,
    version,
    uptime_seconds: Math.floor((performance.now() - startedAt) / 1000),
  }));
  mount(getReady, () => ({ status: 'ready' as const, reasons: [] }));
  mount(getMetrics, () => registry.text());
}

const deviceMetrics = ({ devices, buses }: Measured): Metric[] => [
  gauge('gateway_devices', 'devices of this gateway, by whether they are connected', () => {
    const all = devices.list();
    const connected = all.filter((device) => device.isConnected).length;
    return [
      { labels: { connected: 'true' }, value: connected },
      { labels: { connected: 'false' }, value: all.length - connected },
    ];
  }),
  gauge('modbus_bus', 'what happened on each Modbus bus since it was opened', () =>
    Array.from(buses.counters(), ([bus, counters]) =>
      Object.entries(counters).map(([event, value]) => ({ labels: { bus, event }, value })),
    ).flat(),
  ),
];

const uplinkMetrics = ({ uplink, clock }: Measured): Metric[] => [
  gauge('gateway_uplink_connected', 'whether the platform is connected, 1 or 0', () => Number(uplink().connected)),
  gauge('gateway_outbox_samples', 'samples that wait for the platform', () => uplink().waiting),
  gauge('gateway_outbox_bytes', 'what the outbox takes on disk', () => uplink().bytes),
  gauge('gateway_outbox_oldest_seconds', 'age of the oldest sample that waits, 0 when none does', () => {
    const now = clock.now();
    return Math.max(0, now - (uplink().oldest ?? now)) / 1000;
  }),
  counter('gateway_outbox_dropped_total', 'samples that were given up, by reason', () => {
    const { dropped } = uplink();
    // Prometheus sees the first drop of a reason only when it saw none before.
    return dropReasons.map((reason) => ({ labels: { reason }, value: dropped[reason] ?? 0 }));
  }),
  counter('gateway_outbox_thinned_total', 'samples that became means of a minute', () => uplink().thinned),
];

const controlMetric = ({ control }: Measured): Metric =>
  gauge('gateway_control_leases', 'set points that devices are held at', () =>
    control().reduce((total, { held }) => total + held.length, 0),
  );
