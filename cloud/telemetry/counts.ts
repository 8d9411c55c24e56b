import { type DropReason, dropReasons } from '#contract/cloud/gateways.ts';
import { counter, type Registry } from '#lib/metrics/registry.ts';
import { RecentMap } from '#lib/recent-map.ts';

type Drops = Partial<Record<DropReason, number>>;

export type IngestCounts = {
  store(samples: number): void;
  redate(): void;
  setAside(readings: number): void;
  drop(reason: DropReason, serial: string): void;
  /** What was dropped of one gateway since this process started. */
  droppedOf(serial: string): Drops;
};

const mostGateways = 100_000;

export function createIngestCounts(registry: Registry): IngestCounts {
  let [stored, redated, setAside] = [0, 0, 0];
  const dropped: Drops = {};
  const byGateway = new RecentMap<Drops>(mostGateways);
  registry.add(
    counter('telemetry_dropped_total', 'Messages that were not kept, by reason', () =>
      // Prometheus sees the first drop of a reason only when it saw none before.
      dropReasons.map((reason) => ({ labels: { reason }, value: dropped[reason] ?? 0 })),
    ),
    counter(
      'telemetry_set_aside_total',
      'Readings kept without means, because sealing their hour would take too much memory',
      () => setAside,
    ),
    counter('telemetry_stored_total', 'Samples stored', () => stored),
    counter(
      'telemetry_redated_total',
      'Samples whose own time could not be and that got the time of arrival',
      () => redated,
    ),
  );
  return {
    store(samples) {
      stored += samples;
    },
    redate() {
      redated += 1;
    },
    setAside(readings) {
      setAside += readings;
    },
    drop(reason, serial) {
      countIn(dropped, reason);
      const ofGateway = byGateway.get(serial) ?? {};
      countIn(ofGateway, reason);
      byGateway.set(serial, ofGateway);
    },
    droppedOf: (serial) => byGateway.get(serial) ?? {},
  };
}

function countIn(drops: Drops, reason: DropReason): void {
  drops[reason] = (drops[reason] ?? 0) + 1;
}
