import type { DeviceState } from '#contract/cloud/devices.ts';
import { derKindOf } from '#contract/der.ts';
import type { Clock } from '#lib/clock.ts';
import { createFanOut } from '#lib/http/fan-out.ts';
import { type EventBatch, type EventStream, formatEvent } from '#lib/http/sse.ts';
import type { Transport } from '../broker/transport.ts';
import type { Store } from '../store/store.ts';
import type { Sample, TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import { listSiteTelemetryRoutes, type TelemetryRoute } from '../store/telemetry-registry.ts';
import { measuredValues, momentOf } from './measured.ts';

type LatestReading = { at: number; received: number; values: Record<string, unknown> };

export type Latest = {
  /** Saves a reading; returns true when it is newer than the known one. */
  note(der: number, reading: LatestReading): boolean;
  get(ders: readonly number[]): Promise<Map<number, LatestReading>>;
  forget(ders: readonly number[]): void;
};

const maxRemembered = 500_000;

/** Returns the newest reading of each DER, from memory unless other processes receive readings too. */
export function createLatest(telemetry: TelemetryStore, { isShared }: { isShared: boolean }): Latest {
  const remembered = new Map<number, LatestReading | undefined>(); // undefined: the store has none

  function remember(der: number, reading: LatestReading | undefined): void {
    if (!remembered.has(der) && remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value!);
    remembered.set(der, reading);
  }

  return {
    note(der, reading) {
      const known = remembered.get(der);
      if (known && momentOf(known) >= momentOf(reading)) return false;
      remember(der, reading);
      return true;
    },

    async get(ders) {
      const found = new Map<number, LatestReading>();
      const missing = ders.filter((der) => {
        const known = remembered.get(der);
        if (known && !isShared) found.set(der, known);
        return isShared || !remembered.has(der);
      });
      if (missing.length === 0) return found;
      const stored = await telemetry.latest(missing);
      for (const der of missing) {
        const sample = stored.get(der);
        const reading = sample && readingOf(sample);
        if (reading) found.set(der, reading);
        if (!isShared && !remembered.has(der)) remember(der, reading);
      }
      return found;
    },

    forget(ders) {
      for (const der of ders) remembered.delete(der);
    },
  };
}

export const readingOf = ({ at, received, body }: Sample): LatestReading => ({
  at,
  received,
  values: JSON.parse(body),
});

/** Returns the latest reading as clients see it; null before the first. */
export async function latestShown(latest: Latest, der: number): Promise<Record<string, unknown> | null> {
  const reading = (await latest.get([der])).get(der);
  if (!reading) return null;
  const { seq, ...values } = measuredValues(reading.values);
  return { ...values, timestamp: reading.at };
}

/** Events of a site, formatted once for all listeners, in the order they were emitted. */
export type Live = {
  hasListeners(siteId: string): boolean;
  emit(siteId: string, event: string): void;
  /** Delivers the events of this process that were emitted so far. */
  flush(siteId: string): void;
  listen(siteId: string, listener: (parcel: EventBatch) => void): Promise<() => void>;
};

/** Emits events within this process, or through the broker `shared` to the viewers of every process. */
export function createLive(shared?: Transport): Live {
  const fanOut = createFanOut();
  const stops = new Map<string, Promise<() => void>>();
  const topicOf = (siteId: string): string => `live/${siteId}`;

  // Readings can wait for the next; other events, such as the end of a command, are sent at once.
  const deliver = (siteId: string, event: string): void =>
    fanOut.emit(siteId, event, eventId(event) === undefined ? 'now' : 'soon');

  return {
    // Another process may have listeners that we do not see.
    hasListeners: (siteId) => shared !== undefined || fanOut.hasListeners(siteId),

    emit(siteId, event) {
      if (shared) shared.publish(topicOf(siteId), event);
      else deliver(siteId, event);
    },

    flush: fanOut.flush,

    async listen(siteId, listener) {
      const isFirst = fanOut.add(siteId, listener);
      if (shared && isFirst) {
        stops.set(
          siteId,
          shared.watch(topicOf(siteId), (event) => deliver(siteId, event)),
        );
      }
      await stops.get(siteId);
      return () => {
        if (!fanOut.remove(siteId, listener)) return;
        const stopping = stops.get(siteId);
        stops.delete(siteId);
        void stopping?.then((stop) => stop());
      };
    },
  };
}

/** Returns the id of a reading; other events have none. */
export const eventId = (event: string): string | undefined =>
  event.startsWith('id: ') ? event.slice(4, event.indexOf('\n')) : undefined;

/** Formats a change of a device's state for the viewers of its site. */
export const deviceEvent = (device_id: string, state: DeviceState): string =>
  formatEvent(JSON.stringify({ device_id, state }), { event: 'device' });

type Shown = { at: number; values: Record<string, unknown> };

/** Returns a reading as members receive it on the broker: measured fields, time, and the ids of its objects. */
export function brokerReading({ at, values }: Shown, route: TelemetryRoute): Record<string, unknown> {
  const { org_id, site_id, device_id, der_id, der_type } = route;
  return { ...measuredValues(values), timestamp: at, org_id, site_id, device_id, der_id, der_type };
}

/** Returns a reading as viewers receive it: measured fields, time, and the ids of its objects. */
function shownReading({ at, values }: Shown, route: TelemetryRoute): Record<string, unknown> {
  const { seq, ...fields } = measuredValues(values);
  const { site_id, device_id, der_id, der_name, der_type } = route;
  return { ...fields, type: derKindOf[der_type], timestamp: at, site_id, device_id, der_id, der_name, der_type };
}

export const readingEvent = (sample: Shown & Pick<Sample, 'received'>, route: TelemetryRoute): string =>
  formatEvent(JSON.stringify(shownReading(sample, route)), { id: String(sample.received) });

export type SiteStreamDeps = { store: Store; telemetry: TelemetryStore; latest: Latest; live: Live; clock: Clock };

const maxArrived = 10_000;
const toleranceMs = 60_000; // other processes number by clocks of their own

/** Sends missed events, or the latest reading of every DER, and then live events, without gaps or repeats. */
export async function streamSite(
  stream: EventStream,
  siteId: string,
  lastEventId: string | undefined,
  { store, telemetry, latest, live, clock }: SiteStreamDeps,
): Promise<void> {
  let arrived: string[] | undefined = [];
  const stop = await live.listen(siteId, (parcel) => {
    if (!arrived) return stream.send(parcel);
    if (!stream.isOpen) return;
    arrived.push(...parcel.events);
    if (arrived.length > maxArrived) stream.end(); // a viewer that reads slower than readings arrive never catches up
  });
  stream.onClose(stop);
  if (!stream.isOpen) return stop();

  const routes = await listSiteTelemetryRoutes(store.db, siteId);
  const missed =
    lastEventId === undefined ? undefined : await replay(telemetry, routes, Number(lastEventId), clock.now());
  if (lastEventId !== undefined && !missed) stream.send(formatEvent('{}', { event: 'gap' }));
  const first = missed ?? (await latestEvents(latest, routes));
  const isNew = unlike(first);
  /** Returns the events since the stream began to listen, or since the last call. */
  const news = (): string[] => {
    live.flush(siteId);
    const events = arrived!.filter(isNew);
    arrived = [];
    return events;
  };
  // After a long absence there are many; the latest may be newer than some that arrived while it was read.
  for (let more = inOrder(first, news()); more.length > 0; more = news()) await stream.sendAll(more);
  arrived = undefined;
}

/** Merges known events into those that arrived, by id. */
function inOrder(known: readonly string[], came: readonly string[]): string[] {
  const all: string[] = [];
  let next = 0;
  for (const event of came) {
    const id = Number(eventId(event) ?? 0);
    while (next < known.length && Number(eventId(known[next]!)) < id) all.push(known[next++]!);
    all.push(event);
  }
  return [...all, ...known.slice(next)];
}

/** Selects events that have not been sent. */
function unlike(sent: readonly string[]): (event: string) => boolean {
  const ids = new Set(sent.map(eventId));
  return (event) => !ids.has(eventId(event) ?? event);
}

async function latestEvents(latest: Latest, routes: readonly TelemetryRoute[]): Promise<string[]> {
  const readings = await latest.get(routes.map(({ no }) => no));
  const shown = routes.flatMap((route) => {
    const reading = readings.get(route.no);
    return reading ? [{ reading, route }] : [];
  });
  // In the order they were received: a viewer that reconnects after one has missed exactly those after it.
  shown.sort((a, b) => a.reading.received - b.reading.received);
  return shown.map(({ reading, route }) => readingEvent(reading, route));
}

/** Returns missed events; undefined when they are sealed, or when the id lies in the future because the clock was set back. */
async function replay(
  telemetry: TelemetryStore,
  routes: readonly TelemetryRoute[],
  received: number,
  now: number,
): Promise<string[] | undefined> {
  if (!Number.isSafeInteger(received) || received < 0 || received > (now + toleranceMs) * 1000) return undefined;
  const byNumber = new Map(routes.map((route) => [route.no, route]));
  const samples = await telemetry.receivedAfter([...byNumber.keys()], received);
  return samples?.map((sample) => readingEvent(readingOf(sample), byNumber.get(sample.der)!));
}
