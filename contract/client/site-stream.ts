import { streamSite } from '../cloud/telemetry.ts';
import { Problem } from '../problem.ts';
import { pause } from './abortable.ts';
import type { Ask } from './ask.ts';
import { type EventConnection, openEvents } from './event-connection.ts';
import type { ServerEvent } from './event-parser.ts';
import { isPassing } from './retry.ts';
import { createSeenReadings } from './seen-readings.ts';
import { parseData, type SiteEvent, siteEventOf } from './site-events.ts';

export type StreamOptions = {
  /** ends the stream */
  signal?: AbortSignal;
  /** the id of the last reading that was seen: what came since is told first */
  lastEventId?: string;
  /** a connection that is silent for so long is given up, 45 s when left out; the platform speaks every 15 s */
  silenceMs?: number;
};

const usualSilenceMs = 45_000;
const usualRetryMs = 3000;
const longestWaitMs = 30_000;

/** The events of a site, through every loss of the connection. */
export function streamOf(ask: Ask, siteId: string, options: StreamOptions = {}): AsyncGenerator<SiteEvent> {
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  const events = follow(ask, siteId, { silenceMs: usualSilenceMs, ...options, signal });
  // A generator that waits for something is not ended by return() before that is over.
  const end = events.return.bind(events);
  events.return = (value) => {
    left.abort();
    return end(value);
  };
  return events;
}

type Followed = StreamOptions & { signal: AbortSignal; silenceMs: number };

async function* follow(
  ask: Ask,
  siteId: string,
  { signal, silenceMs, lastEventId }: Followed,
): AsyncGenerator<SiteEvent> {
  const isNew = createSeenReadings();
  let lastId = lastEventId;
  let retryMs = usualRetryMs;
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
        const told = siteEventOf(event);
        if (told?.type === 'reading') lastId = told.id || lastId;
        if (told && (told.type !== 'reading' || isNew(told.reading))) yield told;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      loss = { error };
    }
    retryMs = connection?.retryMs() ?? retryMs;
    if (connection && performance.now() - startedAt > retryMs) failures = 0;
    if (!loss.isOverAtOnce || failures > 0) {
      if (isConnected !== false) yield { type: 'disconnected', error: loss.error };
      isConnected = false;
      await pause(waitMs(retryMs, failures, loss.error), signal).catch(() => {}); // the loop sees that it was aborted
    }
    failures++;
  }
}

type Loss = {
  error: Problem;
  /** coming back helps, or tells that it is in vain */
  isOverAtOnce?: boolean;
};

function lossOf({ data }: ServerEvent): Loss {
  const { reason } = parseData(data) as { reason?: string };
  switch (reason) {
    case 'token_expired':
      return { error: new Problem('unauthenticated', 'The access token is over.'), isOverAtOnce: true };
    case 'access_lost':
      return { error: new Problem('forbidden', 'The site may no longer be seen.'), isOverAtOnce: true };
    default:
      return { error: new Problem('unavailable', `The platform ended the stream (${reason}).`) };
  }
}

/** Never sooner than the platform asks; longer each time it fails again; and never all viewers at the same time. */
function waitMs(retryMs: number, failures: number, { details }: Problem): number {
  const doubled = Math.min(retryMs * 2 ** failures, Math.max(retryMs, longestWaitMs));
  return Math.max(doubled, (details.retryAfterSeconds ?? 0) * 1000) * (1 + Math.random() / 2);
}
