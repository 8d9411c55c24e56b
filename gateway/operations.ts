import { Counter, Gauge, type Metric, type Registry } from 'prom-client';
import { dropReasons, type Status } from '#contract/gateway/status.ts';
import { getHealth, getMetrics, getReady } from '#contract/operations.ts';
import type { Clock } from '#lib/clock.ts';
import type { LocalMount } from './access/local-context.ts';
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
  for (const metric of [...deviceMetrics(measured), ...uplinkMetrics(measured), controlMetric(measured)]) {
    registry.registerMetric(metric);
  }

  mount(getHealth, () => ({
    status: 'healthy' as const,
    version,
    uptime_seconds: Math.floor((performance.now() - startedAt) / 1000),
  }));
  mount(getReady, () => ({ status: 'ready' as const, reasons: [] }));
  mount(getMetrics, () => registry.metrics());
}

const deviceMetrics = ({ devices, buses }: Measured): Metric[] => [
  new Gauge({
    name: 'gateway_devices',
    help: 'devices of this gateway, by whether they are connected',
    labelNames: ['connected'],
    registers: [],
    collect() {
      const connected = devices.list().filter((device) => device.isConnected).length;
      this.set({ connected: 'true' }, connected);
      this.set({ connected: 'false' }, devices.list().length - connected);
    },
  }),
  new Gauge({
    name: 'modbus_bus',
    help: 'what happened on each Modbus bus since it was opened',
    labelNames: ['bus', 'event'],
    registers: [],
    collect() {
      this.reset();
      for (const [bus, counters] of buses.counters()) {
        for (const [event, count] of Object.entries(counters)) this.set({ bus, event }, count);
      }
    },
  }),
];

const uplinkMetrics = ({ uplink, clock }: Measured): Metric[] => [
  gauge('gateway_uplink_connected', 'whether the platform is connected, 1 or 0', () => Number(uplink().connected)),
  gauge('gateway_outbox_samples', 'samples that wait for the platform', () => uplink().waiting),
  gauge('gateway_outbox_bytes', 'what the outbox takes on disk', () => uplink().bytes),
  gauge('gateway_outbox_oldest_seconds', 'age of the oldest sample that waits, 0 when none does', () => {
    const now = clock.now();
    return Math.max(0, now - (uplink().oldest ?? now)) / 1000;
  }),
  new Counter({
    name: 'gateway_outbox_dropped_total',
    help: 'samples that were given up, by reason',
    labelNames: ['reason'],
    registers: [],
    collect() {
      this.reset();
      const { dropped } = uplink();
      // Prometheus sees the first drop of a reason only when it saw none before.
      for (const reason of dropReasons) this.inc({ reason }, dropped[reason] ?? 0);
    },
  }),
  new Counter({
    name: 'gateway_outbox_thinned_total',
    help: 'samples that became means of a minute',
    registers: [],
    collect() {
      this.reset();
      this.inc(uplink().thinned);
    },
  }),
];

const controlMetric = ({ control }: Measured): Metric =>
  gauge('gateway_control_leases', 'set points that devices are held at', () =>
    control().reduce((total, { held }) => total + held.length, 0),
  );

const gauge = (name: string, help: string, read: () => number): Metric =>
  new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(read());
    },
  });
