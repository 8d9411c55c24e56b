import type { Registry } from 'prom-client';
import { getHealth, getMetrics, getReady } from '#contract/operations.ts';
import { Answer } from '#lib/http/mount.ts';
import type { CloudMount } from '../access/door.ts';
import type { Store } from '../store/store.ts';
import { readAccessVersion } from '../store/tokens.ts';
import type { Streams } from '../telemetry/streams.ts';
import { countStreams } from './gauges.ts';

export type OperationsDeps = {
  store: Store;
  streams: Streams;
  registry: Registry;
  version: string;
  startedAt: number;
};

export function operationsRoutes(mount: CloudMount, deps: OperationsDeps): void {
  const { store, streams, registry, version, startedAt } = deps;
  countStreams(streams, registry);

  mount(getHealth, ({ now }) => ({
    status: 'healthy' as const,
    version,
    uptime_seconds: Math.floor((now - startedAt) / 1000),
  }));

  mount(getReady, async () => {
    try {
      await readAccessVersion(store.db);
      return { status: 'ready' as const, reasons: [] };
    } catch {
      return new Answer(503, { status: 'unavailable' as const, reasons: ['The database does not answer.'] });
    }
  });

  mount(getMetrics, () => registry.metrics());
}
