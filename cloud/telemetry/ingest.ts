import { setTimeout as sleep } from 'node:timers/promises';
import type { DropReason } from '#contract/cloud/gateways.ts';
import { orgTelemetryTopic, telemetryAckTopic } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import { createFailureLog } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import type { Transport } from '../broker/transport.ts';
import type { Ledger } from '../energy/ledger.ts';
import { createReceivedTimes } from '../store/telemetry/arrivals.ts';
import type { Sample, TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import type { IngestRoute, TelemetryRoute } from '../store/telemetry-registry.ts';
import type { IngestCounts } from './counts.ts';
import type { FieldLimit } from './field-limit.ts';
import { brokerReading, type Latest, type Live, readingEvent } from './live.ts';
import { createShapes, parseReading, type Reading, type Refused, readKnownShape, withoutFields } from './reading.ts';
import type { FoundRoute, Routing } from './routing.ts';
import type { TelemetryUsage } from './usage.ts';

/** A sample that is about to be stored, with its route. */
class Accepted implements Sample {
  readonly der: number;
  readonly at: number;
  readonly received: number;
  readonly body: string;
  readonly route: IngestRoute;
  readonly power: number;
  readonly inWh: number;
  readonly outWh: number;
  readonly #reading: Reading;

  constructor(reading: Reading, route: IngestRoute, received: number) {
    this.der = route.no;
    this.at = reading.at;
    this.received = received;
    this.body = reading.text;
    this.route = route;
    this.power = reading.power;
    this.inWh = reading.inWh;
    this.outWh = reading.outWh;
    this.#reading = reading;
  }

  get seq(): number | undefined {
    return this.#reading.seq;
  }

  get values(): Record<string, unknown> {
    return this.#reading.values;
  }
}

/** Samples that are stored and acknowledged together. */
type Batch = { samples: Accepted[]; stored: PromiseWithResolvers<boolean> };

/** The batches of one server of telemetry. Each server has its own, so that one that is down does not hold up the others. */
type Lane = {
  batches: Batch[];
  isCommitting: boolean;
  begunAt: number;
  outcome: ReturnType<typeof createFailureLog>;
};

export type IngestDeps = {
  telemetry: TelemetryStore;
  routing: Routing;
  latest: Latest;
  live: Live;
  transport: Pick<Transport, 'publish' | 'isWanted'>;
  /** called with the newest reading of each DER of a batch after it was stored */
  onReading(reading: Pick<Accepted, 'route' | 'at' | 'received' | 'values'>): void;
  /** marks the devices of these routes active */
  activate(routes: readonly TelemetryRoute[]): Promise<void>;
  counts: IngestCounts;
  usage: Pick<TelemetryUsage, 'isUsedUp' | 'add'>;
  fieldLimit: Pick<FieldLimit, 'excessOf'>;
  ledger: Pick<Ledger, 'note'>;
  clock: Clock;
  log: Logger;
  /** whether a sample caused the error, not the database */
  isPoison(error: unknown): boolean;
};

/** The gateway, device and DER that the topic of a message names. */
type DerAddress = { serial: string; device: string; der: string };

const maxBatchSize = 5000;
const nothingWritten = Promise.resolve(false);

/**
 * Stores the readings in messages. Messages that arrive while a batch is committed form the next batch, and share one
 * promise. A message is acknowledged after its batch is safe; the latest reading and live streams are updated before that.
 */
export function createIngest(deps: IngestDeps) {
  const { telemetry, routing, counts, usage, clock } = deps;
  const shapes = createShapes();
  const arrival = createReceivedTimes(clock);
  const lanes = new Map<string, Lane>(); // by server

  function laneOf(der: number): Lane {
    const server = telemetry.serverOf(der);
    const known = lanes.get(server);
    if (known) return known;
    const log = deps.log.child({ server });
    const outcome = createFailureLog(log, {
      failed: 'failed to store readings, their gateways keep them',
      again: 'readings are stored again',
    });
    const lane: Lane = { batches: [], isCommitting: false, begunAt: Number.NEGATIVE_INFINITY, outcome };
    lanes.set(server, lane);
    return lane;
  }

  async function commitAll(lane: Lane): Promise<void> {
    const { batches, outcome } = lane;
    lane.isCommitting = true;
    for (let batch = batches[0]; batch; batch = batches[0]) {
      const earlyMs = lane.begunAt + telemetry.batching.gatherMs - performance.now();
      if (earlyMs > 0 && batch.samples.length < telemetry.batching.enough) await sleep(earlyMs);
      lane.begunAt = performance.now();
      batches.shift();
      try {
        const isWritten = await commit(batch.samples);
        outcome.succeeded();
        batch.stored.resolve(isWritten);
      } catch (error) {
        outcome.failed(error);
        batch.stored.reject(error);
      }
    }
    lane.isCommitting = false;
  }

  async function commit(samples: readonly Accepted[]): Promise<boolean> {
    let repeated: readonly number[];
    try {
      repeated = await telemetry.append(samples);
    } catch (error) {
      return partly(samples, error);
    }
    counts.totals.stored += samples.length;
    await deps.ledger.note(samples); // late readings are marked before they are acknowledged
    await activate(samples);
    announce(samples, new Set(repeated), deps);
    return repeated.length < samples.length;
  }

  /** Activates devices before their first reading is acknowledged. */
  async function activate(samples: readonly Accepted[]): Promise<void> {
    const pending = samples.filter(({ route }) => route.device_state === 'pending').map(({ route }) => route);
    if (pending.length === 0) return;
    try {
      await deps.activate(pending);
      for (const route of pending) route.device_state = 'active'; // as long as the route is remembered
    } catch (error) {
      deps.log.warn({ err: error }, 'devices not marked active yet, the next presence update does it');
    }
  }

  /** Splits a failed batch into halves until the sample that caused the error is found. */
  async function partly(samples: readonly Accepted[], error: unknown): Promise<boolean> {
    if (!deps.isPoison(error)) throw error;
    if (samples.length > 1) {
      const half = samples.length >> 1;
      const isWritten = await commit(samples.slice(0, half));
      return (await commit(samples.slice(half))) || isWritten;
    }
    const [sample] = samples;
    if (!sample) throw error;
    const { route, seq } = sample;
    deps.log.error({ err: error, der_id: route.der_id }, 'dropped a sample that cannot be stored');
    return drop('unstorable', route.gateway_serial, seq);
  }

  function drop(reason: DropReason, serial: string, seq: number | undefined): Promise<boolean> {
    counts.drop(reason, serial);
    if (seq !== undefined) acknowledge(deps.transport, serial, [seq]);
    return nothingWritten;
  }

  /** Drops a reading that is too old, unless the clock is behind, which makes every reading look too old. */
  function tooOld({ no, gateway_serial: serial }: IngestRoute, seq: number | undefined): Promise<boolean> {
    if (telemetry.oldestKept() <= clock.now()) return drop('too_old', serial, seq);
    const error = new Error('The clock is behind the oldest readings that are kept.');
    laneOf(no).outcome.failed(error);
    return Promise.reject(error);
  }

  function gathering({ batches }: Lane): Batch {
    const last = batches.at(-1);
    if (last && last.samples.length < maxBatchSize) return last;
    const next: Batch = { samples: [], stored: Promise.withResolvers() };
    batches.push(next);
    return next;
  }

  function take(address: DerAddress, payload: Uint8Array, found: FoundRoute): Promise<boolean> {
    const now = clock.now();
    const shape = typeof found === 'string' ? undefined : shapes.of(found.no);
    const expected = shape && readKnownShape(payload, now, shape);
    const reading: Reading | Refused = expected ?? parseReading(payload, now);
    if ('reason' in reading) return drop(reading.reason, address.serial, reading.seq);
    if (typeof found === 'string') return drop(found, address.serial, reading.seq);
    const route = found;
    if (reading.at < route.since) return drop('before_claim', address.serial, reading.seq);
    if (reading.at < telemetry.oldestKept()) return tooOld(route, reading.seq);
    if (usage.isUsedUp(route.org_id)) return drop('quota', address.serial, reading.seq);
    if (expected) return keep(expected, route);
    const excess = deps.fieldLimit.excessOf(route.no, Object.keys(reading.values), shape);
    return excess instanceof Promise
      ? excess.then((names) => keepWithout(names, reading, route))
      : keepWithout(excess, reading, route);
  }

  /** Keeps a reading of another shape than the one before, without the fields that are too many for its DER. */
  function keepWithout(excess: ReadonlySet<string>, reading: Reading, route: IngestRoute): Promise<boolean> {
    const { gateway_serial: serial } = route;
    const kept = excess.size === 0 ? reading : withoutFields(reading, excess, clock.now());
    if (!kept) return drop('too_many_fields', serial, reading.seq);
    if (kept !== reading) counts.drop('too_many_fields', serial);
    shapes.learn(route.no, Object.keys(kept.values), route.der_type);
    kept.findEnergy(route.der_type);
    return keep(kept, route);
  }

  function keep(reading: Reading, route: IngestRoute): Promise<boolean> {
    if (reading.isRedated) counts.totals.redated++;
    const lane = laneOf(route.no);
    const { samples, stored } = gathering(lane);
    samples.push(new Accepted(reading, route, arrival()));
    if (!lane.isCommitting) void commitAll(lane);
    return stored.promise;
  }

  return {
    /** Resolves when the message is stored: true if anything of its batch was new. */
    telemetry(address: DerAddress, payload: Uint8Array): Promise<boolean> {
      const found = routing.find(address.serial, address.device, address.der);
      return found instanceof Promise
        ? found.then((answer) => take(address, payload, answer))
        : take(address, payload, found);
    },
  };
}

/** Sends stored samples to viewers and to members on the broker, and acknowledges them to their gateways. */
function announce(
  samples: readonly Accepted[],
  repeated: ReadonlySet<number>,
  { latest, live, transport, usage, onReading }: IngestDeps,
): void {
  const seqs = new Map<string, number[]>();
  const newest = new Map<number, Accepted>();
  for (const sample of samples) {
    const { der, route, seq } = sample;
    const known = seqs.get(route.gateway_serial);
    if (seq !== undefined && known) known.push(seq);
    else if (seq !== undefined) seqs.set(route.gateway_serial, [seq]);
    if (!repeated.has(sample.received)) {
      usage.add(route, sample.body.length);
      const topic = orgTelemetryTopic(route);
      if (transport.isWanted(topic)) transport.publish(topic, JSON.stringify(brokerReading(sample, route)));
    }
    // Late readings are only stored; viewers see increasing times.
    if (!latest.note(der, sample)) continue;
    newest.set(der, sample);
    if (live.hasListeners(route.site_id)) live.emit(route.site_id, readingEvent(sample, route));
  }
  for (const sample of newest.values()) onReading(sample);
  for (const [serial, numbers] of seqs) acknowledge(transport, serial, numbers);
}

function acknowledge(transport: Pick<Transport, 'publish'>, serial: string, seqs: readonly number[]): void {
  transport.publish(telemetryAckTopic(serial), JSON.stringify({ acked: toRanges(seqs) }));
}

/** Returns the numbers as inclusive ranges, the form of an acknowledgement. */
function toRanges(seqs: readonly number[]): [first: number, last: number][] {
  const ranges: [number, number][] = [];
  for (const seq of seqs.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && seq <= last[1] + 1) last[1] = seq;
    else ranges.push([seq, seq]);
  }
  return ranges;
}
