import type { Command } from '../cloud/commands.ts';
import type { DeviceState } from '../cloud/devices.ts';
import { streamSite } from '../cloud/telemetry.ts';
import type { DerTypeId } from '../der.ts';
import type { DerKind } from '../gateway/reading.ts';
import { Problem } from '../problem.ts';
import type { FieldName } from '../telemetry.ts';
import type { ServerEvent } from './event-stream.ts';
import { type EventConnection, openEvents } from './event-stream.ts';
import { isTransient, sleep } from './retry.ts';
import type { SendRequest } from './send.ts';

export type StreamOptions = {
  /** ends the stream */
  signal?: AbortSignal;
  /** id of the last reading received; readings since then are replayed first */
  lastEventId?: string;
  /** reconnects after this much silence, 45 s by default; the platform sends something every 15 s */
  silenceMs?: number;
};

const defaultSilenceMs = 45_000;
const defaultRetryMs = 3000;
const maxBackoffMs = 30_000;

/** Streams the events of a site and reconnects when the connection is lost. */
export function streamOf(ask: SendRequest, siteId: string, options: StreamOptions = {}): AsyncGenerator<SiteEvent> {
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  const events = follow(ask, siteId, { silenceMs: defaultSilenceMs, ...options, signal });
  // return() does not interrupt a generator that is waiting, so the wait is aborted.
  const end = events.return.bind(events);
  events.return = (value) => {
    left.abort();
    return end(value);
  };
  return events;
}

type Followed = StreamOptions & { signal: AbortSignal; silenceMs: number };

async function* follow(
  ask: SendRequest,
  siteId: string,
  { signal, silenceMs, lastEventId }: Followed,
): AsyncGenerator<SiteEvent> {
  const isNew = createDuplicateFilter();
  let lastId = lastEventId;
  let retryMs = defaultRetryMs;
  let isConnected: boolean | undefined;
  let failures = 0;

  while (!signal.aborted) {
    let connection: EventConnection | undefined;
    let loss: Loss = { error: new Problem('unavailable', 'The platform closed the stream.') };
    const startedAt = performance.now();
    try {
      const headers = lastId === undefined ? {} : { 'last-event-id': lastId };
      connection = await openEvents(ask, streamSite, { params: { site_id: siteId }, headers, signal, silenceMs });
      yield { type: 'connected' };
      isConnected = true;
      for await (const event of connection.events) {
        if (signal.aborted) return;
        if (event.name === 'end') {
          loss = lossOf(event);
          break;
        }
        const siteEvent = siteEventOf(event);
        if (siteEvent?.type === 'reading') lastId = siteEvent.id || lastId;
        if (siteEvent && (siteEvent.type !== 'reading' || isNew(siteEvent.reading))) yield siteEvent;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isTransient(error)) throw error;
      loss = { error };
    }
    retryMs = connection?.retryMs() ?? retryMs;
    if (connection && performance.now() - startedAt > retryMs) failures = 0;
    if (!loss.isOverAtOnce || failures > 0) {
      if (isConnected !== false) yield { type: 'disconnected', error: loss.error };
      isConnected = false;
      await sleep(waitMs(retryMs, failures, loss.error), signal).catch(() => {}); // the loop condition ends it
    }
    failures++;
  }
}

type Loss = {
  error: Problem;
  /** reconnect immediately: it either succeeds or fails for good */
  isOverAtOnce?: boolean;
};

function lossOf({ data }: ServerEvent): Loss {
  const { reason }: { reason?: string } = parseData(data);
  switch (reason) {
    case 'token_expired':
      return { error: new Problem('unauthenticated', 'The access token has expired.'), isOverAtOnce: true };
    case 'access_lost':
      return { error: new Problem('forbidden', 'Access to the site was lost.'), isOverAtOnce: true };
    default:
      return { error: new Problem('unavailable', `The platform ended the stream (${reason}).`) };
  }
}

/** Backs off exponentially with jitter, and never less than the platform asks for. */
function waitMs(retryMs: number, failures: number, { details }: Problem): number {
  const doubled = Math.min(retryMs * 2 ** failures, Math.max(retryMs, maxBackoffMs));
  return Math.max(doubled, (details.retryAfterSeconds ?? 0) * 1000) * (1 + Math.random() / 2);
}

const remembered = 32; // per DER; only the last few readings are repeated after a reconnect

/** Returns a filter that tells whether a reading is new. The platform may repeat readings after a gap. */
function createDuplicateFilter(): (reading: SiteReading) => boolean {
  const seen = new Map<string, number[]>();
  return ({ der_id, timestamp }) => {
    const last = seen.get(der_id) ?? [];
    if (last.includes(timestamp)) return false;
    seen.set(der_id, [...last.slice(1 - remembered), timestamp]);
    return true;
  };
}

/** A reading with its site, device and DER. Fields that were not measured are absent. */
export type SiteReading = Partial<Record<FieldName, number>> & {
  type: DerKind;
  /** when it was measured, ms */
  timestamp: number;
  site_id: string;
  device_id: string;
  der_id: string;
  der_name: string;
  der_type: DerTypeId;
  [field: string]: unknown;
};

type NamedEvent =
  | { type: 'device'; data: { device_id: string; state: DeviceState } }
  | { type: 'gateway'; data: { gateway_serial: string; online: boolean } }
  | { type: 'command'; data: Command }
  /** events were lost; the latest reading of every DER follows */
  | { type: 'gap' };

export type SiteEvent =
  | { type: 'reading'; id: string; reading: SiteReading }
  | NamedEvent
  /** sent on every connection; only readings are replayed, so reload everything else */
  | { type: 'connected' }
  /** sent once when the connection is lost or cannot be opened; the stream keeps retrying */
  | { type: 'disconnected'; error: Problem };

const named: readonly string[] = ['device', 'gateway', 'command', 'gap'] satisfies NamedEvent['type'][];

/** Converts a server-sent event; undefined for events that this client does not know. */
function siteEventOf({ name, id = '', data }: ServerEvent): SiteEvent | undefined {
  if (name === '' || name === 'message') return { type: 'reading', id, reading: parseData(data) };
  if (name === 'gap') return { type: 'gap' };
  return named.includes(name) ? ({ type: name, data: parseData(data) } as NamedEvent) : undefined;
}

function parseData(text: string) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Problem('unavailable', 'The platform sent an event that is not JSON.', {}, { cause });
  }
}
