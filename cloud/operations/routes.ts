import { getHealth, getMetrics, getReady } from '#contract/operations.ts';
import { Answer } from '#lib/http/mount.ts';
import type { Registry } from '#lib/metrics/registry.ts';
import type { CloudMount } from '../access/door.ts';
import type { Transport } from '../broker/transport.ts';
import type { Store } from '../store/store.ts';
import { readAccessVersion } from '../store/tokens.ts';
import type { Streams } from '../telemetry/streams.ts';
import { countStreams } from './gauges.ts';

export type OperationsDeps = {
  store: Store;
  transport: Pick<Transport, 'isUp'>;
  streams: Streams;
  registry: Registry;
  version: string;
  startedAt: number;
};

export function operationsRoutes(mount: CloudMount, deps: OperationsDeps): void {
  const { store, transport, streams, registry, version, startedAt } = deps;
  countStreams(streams, registry);

  mount(getHealth, ({ now }) => ({
    status: 'healthy' as const,
    version,
    uptime_seconds: Math.floor((now - startedAt) / 1000),
  }));

  mount(getReady, async () => {
    const answers = await readAccessVersion(store.db).then(
      () => true,
      () => false,
    );
    const reasons = [
      ...(answers ? [] : ['The database does not answer.']),
      ...(transport.isUp ? [] : ['The broker is not reachable.']),
    ];
    if (reasons.length === 0) return { status: 'ready' as const, reasons };
    return new Answer(503, { status: 'unavailable' as const, reasons }, { 'retry-after': '2' });
  });

  mount(getMetrics, () => registry.text());
}
