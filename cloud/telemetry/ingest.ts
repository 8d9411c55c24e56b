import { orgTelemetryTopic, telemetryAckTopic } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { Transport } from '../broker/transport.ts';
import type { TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import type { TelemetryRoute } from '../store/telemetry-routes.ts';
import { rangesOf } from './acknowledgements.ts';
import type { IngestCounts } from './counts.ts';
import type { Latest } from './latest.ts';
import { type Live, readingEvent, shownReading } from './live.ts';
import { type DropReason, parseReading, type Reading } from './reading.ts';
import type { Routing } from './routing.ts';

type Accepted = { reading: Reading; route: TelemetryRoute; received: number; done(): void; fail(error: unknown): void };

export type IngestDeps = {
  telemetry: TelemetryStore;
  routing: Routing;
  latest: Latest;
  live: Live;
  transport: Pick<Transport, 'publish' | 'hasSubscribers'>;
  /** a newest reading of a DER was stored */
  heard(route: TelemetryRoute, at: number, values: Record<string, unknown>): void;
  counts: IngestCounts;
  clock: Clock;
  log: Logger;
  /** the fault lies in this sample, not in the database */
  isPoison(error: unknown): boolean;
};

type Place = { serial: string; device: string; der: string };

export type Ingest = { telemetry(place: Place, payload: Uint8Array): Promise<void> };

const mostAtOnce = 5000;

/**
 * From a message to a stored sample. What waits while one batch is committed is the next batch; a message is answered
 * after its batch is safe, and what it changes (latest, live, acknowledgement) happens after that.
 */
export function createIngest(deps: IngestDeps): Ingest {
  const { telemetry, routing, counts, clock } = deps;
  let waiting: Accepted[] = [];
  let isCommitting = false;
  let lastReceived = 0;

  async function commitAll(): Promise<void> {
    isCommitting = true;
    while (waiting.length > 0) {
      const batch = waiting.length <= mostAtOnce ? waiting : waiting.slice(0, mostAtOnce);
      waiting = batch === waiting ? [] : waiting.slice(mostAtOnce);
      await commit(batch);
    }
    isCommitting = false;
  }

  async function commit(batch: readonly Accepted[]): Promise<void> {
    try {
      await telemetry.append(
        batch.map(({ reading, route, received }) => ({ der: route.no, at: reading.at, received, body: reading.text })),
      );
    } catch (error) {
      return partly(batch, error);
    }
    counts.stored.inc(batch.length);
    announce(batch, deps);
    for (const { done } of batch) done();
  }

  /** A batch that fails as a whole is tried in halves, until what is wrong stands alone. */
  async function partly(batch: readonly Accepted[], error: unknown): Promise<void> {
    if (!deps.isPoison(error)) {
      for (const { fail } of batch) fail(error);
      return;
    }
    if (batch.length > 1) {
      const half = batch.length >> 1;
      await commit(batch.slice(0, half));
      await commit(batch.slice(half));
      return;
    }
    const [{ reading, route, done }] = batch as [Accepted];
    deps.log.error({ err: error, der_id: route.der_id }, 'a sample cannot be stored and was dropped');
    drop('unstorable', route.gateway_serial, reading.seq);
    done();
  }

  function drop(reason: DropReason, serial: string, seq: number | undefined): void {
    counts.drop(reason, serial);
    if (seq !== undefined) acknowledge(deps.transport, serial, [seq]);
  }

  function accept(reading: Reading, route: TelemetryRoute): Promise<void> {
    if (reading.isRedated) counts.redated.inc();
    lastReceived = Math.max(lastReceived + 1, clock.now() * 1000);
    const received = lastReceived;
    return new Promise((done, fail) => {
      waiting.push({ reading, route, received, done, fail });
      if (!isCommitting) void commitAll();
    });
  }

  return {
    async telemetry(place, payload) {
      const reading = parseReading(payload, clock.now());
      if ('reason' in reading) return drop(reading.reason, place.serial, reading.seq);
      const found = routing.find(place.serial, place.device, place.der);
      const route = found instanceof Promise ? await found : found;
      if (!route) return drop('not_provisioned', place.serial, reading.seq);
      return accept(reading, route);
    },
  };
}

/** Tells everybody what is now safe: viewers, members on the broker, and the gateways that sent it. */
function announce(batch: readonly Accepted[], { latest, live, transport, heard }: IngestDeps): void {
  const seqs = new Map<string, number[]>();
  for (const { reading, route, received } of batch) {
    const { at, seq, values } = reading;
    if (seq !== undefined) {
      const known = seqs.get(route.gateway_serial);
      if (known) known.push(seq);
      else seqs.set(route.gateway_serial, [seq]);
    }
    // What comes late belongs to history; viewers see time go forward.
    if (!latest.note(route.no, { at, received, values })) continue;
    heard(route, at, values);
    if (live.hasListeners(route.site_id)) live.emit(route.site_id, readingEvent({ at, received, values }, route));
    if (transport.hasSubscribers) {
      const { org_id } = route;
      transport.publish(orgTelemetryTopic(route), JSON.stringify({ ...shownReading({ at, values }, route), org_id }));
    }
  }
  for (const [serial, numbers] of seqs) acknowledge(transport, serial, numbers);
}

function acknowledge(transport: Pick<Transport, 'publish'>, serial: string, seqs: readonly number[]): void {
  transport.publish(telemetryAckTopic(serial), JSON.stringify({ acked: rangesOf(seqs) }));
}
