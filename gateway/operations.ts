import { Gauge, type Registry } from 'prom-client';
import { getHealth, getMetrics, getReady } from '#contract/operations.ts';
import type { LocalMount } from './access/local-context.ts';
import type { Devices } from './devices/devices.ts';
import type { ModbusBuses } from './links/modbus/buses.ts';

export type OperationsDeps = {
  registry: Registry;
  version: string;
  devices: Devices;
  buses: ModbusBuses;
};

export function operationsRoutes(mount: LocalMount, { registry, version, devices, buses }: OperationsDeps): void {
  const startedAt = performance.now();
  measure(registry, devices, buses);

  mount(getHealth, () => ({
    status: 'healthy' as const,
    version,
    uptime_seconds: Math.floor((performance.now() - startedAt) / 1000),
  }));
  mount(getReady, () => ({ status: 'ready' as const, reasons: [] }));
  mount(getMetrics, () => registry.metrics());
}

function measure(registry: Registry, devices: Devices, buses: ModbusBuses): void {
  registry.registerMetric(
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
  );
  registry.registerMetric(
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
  );
}
