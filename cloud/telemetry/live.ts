import type { DeviceState } from '#contract/cloud/devices.ts';
import { derKindOf } from '#contract/der.ts';
import type { Clock } from '#lib/clock.ts';
import { createFanOut } from '#lib/http/fan-out.ts';
import { EventBatch, type EventStream, formatEvent } from '#lib/http/sse.ts';
import { RecentMap } from '#lib/recent-map.ts';
import type { Transport } from '../broker/transport.ts';
import type { Store } from '../store/store.ts';
import type { Sample, TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import { listSiteTelemetryRoutes, type TelemetryRoute } from '../store/telemetry-registry.ts';
import { measuredValues, momentOf } from './measured.ts';

type LatestReading = { at: number; received: number; values: Record<string, unknown> };

export type Latest = ReturnType<typeof createLatest>;

const maxRemembered = 500_000;

/** Holds the newest reading of each DER. Reads it from the store if other processes receive readings too. */
export function createLatest(telemetry: TelemetryStore, { isShared }: { isShared: boolean }) {
  const remembered = new RecentMap<LatestReading | null, number>(maxRemembered); // null: the store has none

  return {
    /** Saves a reading. Returns whether it is newer than the known one, or the same, which was read before it was noted. */
    note(der: number, reading: LatestReading): boolean {
      const known = remembered.get(der);
      if (known && known.received !== reading.received && momentOf(known) >= momentOf(reading)) return false;
      remembered.set(der, reading);
      return true;
    },

    async get(ders: readonly number[]): Promise<Map<number, LatestReading>> {
      const found = new Map<number, LatestReading>();
      const missing = ders.filter((der) => {
        const known = remembered.get(der);
        if (known && !isShared) found.set(der, known);
        return isShared || known === undefined;
      });
      if (missing.length === 0) return found;
      const stored = await telemetry.latest(missing);
      for (const der of missing) {
        const sample = stored.get(der);
        const noted = isShared ? undefined : remembered.get(der); // meanwhile; what is stored may not be announced yet
        const reading = noted ?? (sample && readingOf(sample));
        if (reading) found.set(der, reading);
        if (!isShared && !noted) remembered.set(der, reading ?? null);
      }
      return found;
    },

    forget(ders: readonly number[]): void {
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

export type Live = ReturnType<typeof createLive>;

const gapEvent = formatEvent('{}', { event: 'gap' }); // readings were missed

const disorderMs = 5000; // between processes: the difference of their clocks, and the time that storing takes

/** Emits formatted events of a site, in order, within this process or through a shared broker to all processes. */
export function createLive(transport?: Pick<Transport, 'publish' | 'isWanted' | 'shared'>) {
  const shared = transport?.shared;
  const fanOut = createFanOut();
  const stops = new Map<string, Promise<() => void>>();
  const topicOf = (siteId: string): string => `live/${siteId}`;

  // Readings can wait for the next; other events, such as the end of a command, are sent at once.
  const deliver = (siteId: string, event: string): void =>
    fanOut.emit(siteId, event, eventId(event) === undefined ? 'now' : 'soon');

  shared?.onMissed(() => {
    for (const siteId of stops.keys()) deliver(siteId, gapEvent);
  });

  return {
    /** how long before an event others may be numbered that are sent after it */
    disorderMs: shared ? disorderMs : 0,

    /** Returns whether the site has listeners, or may have some in another process. */
    hasListeners: (siteId: string): boolean =>
      shared ? transport.isWanted(topicOf(siteId)) : fanOut.hasListeners(siteId),

    emit(siteId: string, event: string): void {
      if (shared) transport.publish(topicOf(siteId), event);
      else deliver(siteId, event);
    },

    /** Delivers the events of this process that were emitted so far. */
    flush: fanOut.flush,

    async listen(siteId: string, listener: (batch: EventBatch) => void): Promise<() => void> {
      const isFirst = fanOut.add(siteId, listener);
      if (shared && isFirst) {
        const watching = shared.watch(topicOf(siteId), (event) => deliver(siteId, event));
        stops.set(siteId, watching);
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

export const deviceEvent = (device_id: string, state: DeviceState): string =>
  formatEvent(JSON.stringify({ device_id, state }), { event: 'device' });

type Shown = { at: number; values: Record<string, unknown> };

/** Returns a reading as members receive it on the broker: measured fields, time, and the ids of its objects. */
export function brokerReading({ at, values }: Shown, route: TelemetryRoute): Record<string, unknown> {
  const { org_id, site_id, device_id, der_id, der_type } = route;
  return { ...measuredValues(values), timestamp: at, org_id, site_id, device_id, der_id, der_type };
}

export function readingEvent(
  { at, values, received }: Shown & Pick<Sample, 'received'>,
  route: TelemetryRoute,
): string {
  const { seq, ...fields } = measuredValues(values);
  const { site_id, device_id, der_id, der_name, der_type } = route;
  const type = derKindOf[der_type];
  const shown = { ...fields, type, timestamp: at, site_id, device_id, der_id, der_name, der_type };
  return formatEvent(JSON.stringify(shown), { id: String(received) });
}

export type SiteStreamDeps = { store: Store; telemetry: TelemetryStore; latest: Latest; live: Live; clock: Clock };

const maxArrived = 10_000;
const toleranceMs = 60_000; // other processes number by clocks of their own
const repeatMs = 30_000; // after it was stored, a reading is emitted at the latest

/**
 * Sends missed events, or the latest reading of every DER, and then live events, without gaps or repeats. With several
 * processes, missed events begin a few seconds early, with the same ids as before.
 */
export async function streamSite(
  stream: EventStream,
  siteId: string,
  lastEventId: string | undefined,
  { store, telemetry, latest, live, clock }: SiteStreamDeps,
): Promise<void> {
  let arrived: string[] = [];
  let isLive = false;
  const sent = new Set<string | undefined>();
  const beganAt = performance.now();
  const stop = await live.listen(siteId, (batch) => {
    if (isLive) return sendNew(batch);
    if (!stream.isOpen) return;
    arrived.push(...batch.events);
    if (arrived.length > maxArrived) stream.end(); // a viewer that reads slower than readings arrive never catches up
  });
  const isNew = (event: string): boolean => !sent.has(eventId(event) ?? event);
  /** A reading is stored a moment before it is emitted, so one that was read may still arrive. */
  function sendNew(batch: EventBatch): void {
    if (sent.size > 0 && performance.now() - beganAt > repeatMs) sent.clear();
    const news = sent.size === 0 ? batch.events : batch.events.filter(isNew);
    if (news.length === batch.events.length) stream.send(batch);
    else if (news.length > 0) stream.send(new EventBatch(news));
  }
  stream.onClose(stop);
  if (!stream.isOpen) return stop();

  const routes = await listSiteTelemetryRoutes(store.db, siteId);
  const since = Number(lastEventId) - live.disorderMs * 1000;
  const missed = lastEventId === undefined ? undefined : await replay(telemetry, routes, since, clock.now());
  if (lastEventId !== undefined && !missed) stream.send(gapEvent);
  const first = missed ?? (await latestEvents(latest, routes));
  for (const event of first) sent.add(eventId(event));
  /** Returns the events since the stream began to listen, or since the last call. */
  const news = (): string[] => {
    live.flush(siteId);
    const events = arrived.filter(isNew);
    arrived = [];
    return events;
  };
  // After a long absence there are many; the latest may be newer than some that arrived while it was read.
  for (let more = mergeById(first, news()); more.length > 0; more = news()) await stream.sendAll(more);
  isLive = true;
}

/** Merges two lists of events that are ordered by id. Events without an id stay before those that follow them. */
function mergeById(known: readonly string[], arrived: readonly string[]): string[] {
  const all: string[] = [];
  const rest = known.values();
  let next = rest.next();
  for (const event of arrived) {
    const id = Number(eventId(event) ?? 0);
    for (; !next.done && Number(eventId(next.value)) < id; next = rest.next()) all.push(next.value);
    all.push(event);
  }
  if (!next.done) all.push(next.value, ...rest);
  return all;
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
  return samples?.flatMap((sample) => {
    const route = byNumber.get(sample.der);
    return route ? [readingEvent(readingOf(sample), route)] : [];
  });
}
