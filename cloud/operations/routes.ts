import { getHealth, getMetrics, getReady } from '#contract/operations.ts';
import { Answer } from '#lib/http/mount.ts';
import { gauge, type Registry } from '#lib/metrics/registry.ts';
import type { CloudMount } from '../access/door.ts';
import type { Transport } from '../broker/transport.ts';
import type { Store } from '../store/store.ts';
import { readAccessVersion } from '../store/tokens.ts';
import type { Streams } from '../telemetry/streams.ts';

export type OperationsDeps = {
  store: Store;
  transport: Pick<Transport, 'isUp'>;
  streams: Streams;
  registry: Registry;
  version: string;
  startedAt: number;
  /** whether the process is stopping and wants no more clients */
  isStopping(): boolean;
};

export function operationsRoutes(mount: CloudMount, deps: OperationsDeps): void {
  const { store, transport, streams, registry, version, startedAt, isStopping } = deps;
  registry.add(gauge('streams_open', 'Open event streams', streams.count));

  mount(getHealth, ({ now }) => ({
    status: 'healthy' as const,
    version,
    uptime_seconds: Math.floor((now - startedAt) / 1000),
  }));

  mount(getReady, async () => {
    const reasons: string[] = [];
    if (isStopping()) reasons.push('The process is stopping.');
    await readAccessVersion(store.db).catch(() => reasons.push('The database does not answer.'));
    if (!transport.isUp) reasons.push('The broker is not reachable.');
    if (reasons.length === 0) return { status: 'ready' as const, reasons };
    return new Answer(503, { status: 'unavailable' as const, reasons }, { 'retry-after': '2' });
  });

  mount(getMetrics, () => registry.text());
}
