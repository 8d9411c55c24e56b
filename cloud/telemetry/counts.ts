import { Counter, type Registry } from 'prom-client';
import type { DropReason } from '#contract/cloud/gateways.ts';
import { RecentMap } from '#lib/recent-map.ts';

export type IngestCounts = {
  stored: Counter;
  redated: Counter;
  drop(reason: DropReason, serial: string): void;
  /** What was dropped of one gateway since this process started. */
  droppedOf(serial: string): Partial<Record<DropReason, number>>;
};

const mostGateways = 100_000;

export function createIngestCounts(registry: Registry): IngestCounts {
  const registers = [registry];
  const dropped = new Counter({
    name: 'telemetry_dropped_total',
    help: 'Messages that were not kept, by reason',
    labelNames: ['reason'] as const,
    registers,
  });
  const byGateway = new RecentMap<Partial<Record<DropReason, number>>>(mostGateways);
  return {
    stored: new Counter({ name: 'telemetry_stored_total', help: 'Samples stored', registers }),
    redated: new Counter({
      name: 'telemetry_redated_total',
      help: 'Samples whose own time could not be and that got the time of arrival',
      registers,
    }),
    drop(reason, serial) {
      dropped.inc({ reason });
      const counts = byGateway.get(serial) ?? {};
      counts[reason] = (counts[reason] ?? 0) + 1;
      byGateway.set(serial, counts);
    },
    droppedOf: (serial) => byGateway.get(serial) ?? {},
  };
}
