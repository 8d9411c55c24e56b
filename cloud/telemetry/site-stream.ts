import type { Clock } from '#lib/clock.ts';
import { type EventStream, formatEvent } from '#lib/http/sse.ts';
import type { Store } from '../store/store.ts';
import type { TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import { listSiteTelemetryRoutes, type TelemetryRoute } from '../store/telemetry-registry.ts';
import { type Latest, readingOf } from './latest.ts';
import { eventId, type Live, readingEvent } from './live.ts';

export type SiteStreamDeps = { store: Store; telemetry: TelemetryStore; latest: Latest; live: Live; clock: Clock };

const mostArrived = 10_000;
const toleranceMs = 60_000; // other processes number by clocks of their own

/** First what was missed, or the latest of every DER; then live. Nothing is left out in between, nothing comes twice. */
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
    if (arrived.length > mostArrived) stream.end(); // who reads slower than it comes never gets there
  });
  stream.onClose(stop);
  if (!stream.isOpen) return stop();

  const routes = await listSiteTelemetryRoutes(store.db, siteId);
  const missed =
    lastEventId === undefined ? undefined : await replay(telemetry, routes, Number(lastEventId), clock.now());
  if (lastEventId !== undefined && !missed) stream.send(formatEvent('{}', { event: 'gap' }));
  const first = missed ?? (await latestEvents(latest, routes));
  const isNew = unlike(first);
  /** What came since we listen, or since the last time. */
  const news = (): string[] => {
    live.flush(siteId);
    const events = arrived!.filter(isNew);
    arrived = [];
    return events;
  };
  // Many, for whoever was away for long; the latest may be newer than some that came while it was looked up.
  for (let more = inOrder(first, news()); more.length > 0; more = news()) await stream.sendAll(more);
  arrived = undefined;
}

/** What is known, in the order it arrived, among what came. */
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

/** Of events that may have been sent already, those that were not. */
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
  // In the order they arrived: whoever comes back after any of them has missed those behind it, and no other.
  shown.sort((a, b) => a.reading.received - b.reading.received);
  return shown.map(({ reading, route }) => readingEvent(reading, route));
}

/** Undefined when what was missed is no longer known: an id that is still to come was given by a clock that was set back since. */
async function replay(
  telemetry: TelemetryStore,
  routes: readonly TelemetryRoute[],
  received: number,
  now: number,
): Promise<string[] | undefined> {
  if (!Number.isSafeInteger(received) || received < 0 || received > (now + toleranceMs) * 1000) return undefined;
  const byNumber = new Map(routes.map((route) => [route.no, route]));
  const samples = await telemetry.arrivedAfter([...byNumber.keys()], received);
  return samples?.map((sample) => readingEvent(readingOf(sample), byNumber.get(sample.der)!));
}
