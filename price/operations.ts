import { Gauge, type Registry } from 'prom-client';
import { getHealth, getMetrics, getReady } from '#contract/operations.ts';
import { Answer, type Mount } from '#lib/http/mount.ts';
import type { PriceService } from './open-service.ts';

export type OperationsDeps = { registry: Registry; service: PriceService; version: string };

export function operationsRoutes(mount: Mount<object>, { registry, service, version }: OperationsDeps): void {
  const { prices, sources, tariffs, clock } = service;
  const startedAt = clock.now();

  const measure = (name: string, help: string, labelNames: string[], collect: (gauge: Gauge) => void): void =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames,
        registers: [],
        collect() {
          collect(this);
        },
      }),
    );
  measure('price_source_working', '1 when the last answer of the source was a good one', ['source'], (gauge) => {
    for (const { id, isWorking } of prices.status()) gauge.set({ source: id }, Number(isWorking));
  });
  measure('price_tariff_files_refused', 'tariff files that cannot be read as they are now', [], (gauge) =>
    gauge.set(tariffs.errors().length),
  );

  mount(getHealth, () => ({
    status: 'healthy' as const,
    version,
    uptime_seconds: Math.floor((clock.now() - startedAt) / 1000),
  }));

  mount(getReady, () => {
    const reasons = [
      ...(tariffs.scannedAt() > 0 ? [] : ['The tariffs have not been read yet.']),
      ...(sources.length > 0 ? [] : ['No price source is configured.']),
    ];
    if (reasons.length === 0) return { status: 'ready' as const, reasons };
    return new Answer(503, { status: 'unavailable' as const, reasons }, { 'retry-after': '2' });
  });

  mount(getMetrics, () => registry.metrics());
}
