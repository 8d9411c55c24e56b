import type { Registry } from 'prom-client';
import { getHealth, getMetrics, getReady } from '#contract/operations.ts';
import { Answer } from '#lib/http/mount.ts';
import type { CloudMount } from '../access/door.ts';
import type { Store } from '../store/store.ts';
import { readAccessVersion } from '../store/tokens.ts';

export type OperationsDeps = { store: Store; registry: Registry; version: string; startedAt: number };

export function operationsRoutes(mount: CloudMount, { store, registry, version, startedAt }: OperationsDeps): void {
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
