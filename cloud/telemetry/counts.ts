import { type DropReason, dropReasons } from '#contract/cloud/gateways.ts';
import { counter, type Registry } from '#lib/metrics/registry.ts';
import { RecentMap } from '#lib/recent-map.ts';

type Drops = Partial<Record<DropReason, number>>;

export type IngestCounts = ReturnType<typeof createIngestCounts>;

const maxGateways = 100_000;

/** Counts stored and dropped messages since the start of this process. */
export function createIngestCounts(registry: Registry) {
  const totals = { stored: 0, redated: 0, setAside: 0 };
  const dropped: Drops = {};
  const droppedByGateway = new RecentMap<Drops>(maxGateways);
  const setAside = 'Readings stored without rollups, because sealing their hour would take too much memory';
  const redated = 'Samples with an implausible timestamp, stored with the time they were received';
  registry.add(
    counter('telemetry_dropped_total', 'Messages that were not stored, by reason', () =>
      // With zeros, so that Prometheus sees the first drop of a reason as an increase.
      dropReasons.map((reason) => ({ labels: { reason }, value: dropped[reason] ?? 0 })),
    ),
    counter('telemetry_set_aside_total', setAside, () => totals.setAside),
    counter('telemetry_stored_total', 'Samples stored', () => totals.stored),
    counter('telemetry_redated_total', redated, () => totals.redated),
  );
  return {
    totals,
    drop(reason: DropReason, serial: string): void {
      for (const drops of [dropped, droppedByGateway.getOrCreate(serial, () => ({}))]) {
        drops[reason] = (drops[reason] ?? 0) + 1;
      }
    },
    droppedOf: (serial: string): Drops => droppedByGateway.get(serial) ?? {},
  };
}
