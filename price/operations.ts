import { getHealth, getMetrics, getReady } from '#contract/operations.ts';
import { Answer, type Mount } from '#lib/http/mount.ts';
import { gauge, type Registry } from '#lib/metrics/registry.ts';
import type { PriceService } from './open-service.ts';

export type OperationsDeps = { registry: Registry; service: PriceService; version: string };

export function operationsRoutes(mount: Mount<object>, { registry, service, version }: OperationsDeps): void {
  const { prices, sources, tariffs, clock } = service;
  const startedAt = clock.now();

  registry.add(
    gauge('price_source_working', '1 when the last answer of the source was a good one', () =>
      prices.status().map(({ id, isWorking }) => ({ labels: { source: id }, value: Number(isWorking) })),
    ),
    gauge(
      'price_tariff_files_refused',
      'tariff files that cannot be read as they are now',
      () => tariffs.errors().length,
    ),
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

  mount(getMetrics, () => registry.text());
}
