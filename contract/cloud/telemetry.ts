import { may } from '../access.ts';
import { routesOf } from '../route.ts';
import { Id, OneOf, optional, type Static, Text, Timestamp, Titled, Type, texts } from '../schema.ts';
import { dayMs, hourMs, minuteMs } from '../time.ts';

const api = routesOf({ tag: 'Telemetry', scope: 'read:telemetry' });

export const resolutions = ['raw', '1m', '5m', '15m', '1h', '1d'] as const;
export type Resolution = (typeof resolutions)[number];

/** Nominal bucket lengths. Readings arrive every second, so a minute without any is a gap in raw data too. */
export const bucketMs: Record<Resolution, number> = {
  raw: minuteMs,
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '1h': hourMs,
  '1d': dayMs,
};

/** The longest range that can be requested in each resolution. */
export const maxRangeMs: Record<Resolution, number> = {
  raw: 31 * dayMs,
  '1m': 92 * dayMs,
  '5m': 400 * dayMs,
  '15m': 800 * dayMs,
  '1h': 4000 * dayMs,
  '1d': 40_000 * dayMs,
};

/** Limit of readings in a raw answer: more than two days at one per second, some months at one per minute. */
export const maxRawReadings = 200_000;

/** Limit of values in a raw answer: 50 fields per reading. */
export const maxRawValues = 10_000_000;

export const maxRawBytes = 256 * 1024 * 1024;

const instant = (description: string) => Text(40, `${description}; RFC 3339, Unix seconds or milliseconds`);

const range = optional({
  from: instant('start of the range; by default 24 hours before the end'),
  to: instant('end of the range; now by default'),
  resolution: OneOf(resolutions, { description: 'by default chosen from the length of the range' }),
  fields: Text(1024, 'field names separated by commas; all by default'),
  format: OneOf(['json', 'csv']),
});

/** A number for each field; buckets also have W_min, W_max and similar fields. */
const Point = Type.Intersect([
  Type.Object({ timestamp: Type.Integer({ description: 'ms; start of the bucket' }) }),
  Type.Record(Type.String(), Type.Number()),
]);

const answered = {
  from: Timestamp,
  to: Timestamp,
  resolution: OneOf(resolutions),
};

export const DerHistory = Titled('DerHistory', {
  ...texts('der_id', 'type'),
  ...answered,
  points: Type.Array(Type.Unsafe<Static<typeof Point>>({})),
});
export type DerHistory = Static<typeof DerHistory>;

const Series = Type.Object({ kind: Type.String(), points: Type.Array(Type.Unsafe<Static<typeof Point>>({})) });

export const SiteHistory = Titled('SiteHistory', { site_id: Type.String(), ...answered, series: Type.Array(Series) });
export type SiteHistory = Static<typeof SiteHistory>;

const history = routesOf(
  {
    tag: 'Telemetry',
    scope: 'read:telemetry',
    query: Type.Object(range),
    otherTypes: ['text/csv'],
    problems: ['unprocessable'],
  },
  api.all,
);

export const getDerTelemetry = history.get('/ders/{der_id}/telemetry', 'Get the history of a DER', {
  description:
    'Buckets contain the mean of power-like fields (rounded to three decimals) with minimum and maximum, and the last value of ' +
    'counters. Buckets without data ' +
    'are left out; 1d is the local day of the site, other buckets are aligned to UTC. raw returns the readings themselves: up to 31 ' +
    `days, ${maxRawReadings} readings, ${maxRawValues} values and about ` +
    `${maxRawBytes / 1024 ** 2} MB of text; beyond that, a 422 explains how to narrow the request (fields or a shorter range). ` +
    'Large answers are sent as fast as the client reads them. An identity with many unread answers gets 429, and ' +
    'everyone gets 503 while too many are unread; Retry-After says when to try again.',
  access: may('read', 'der', 'params.der_id'),
  replies: { 200: DerHistory },
});

export const getSiteTelemetry = history.get('/sites/{site_id}/telemetry', 'Get the history of a site by kind', {
  description:
    'load = meter - pv - battery - charger, with the signs of this platform. Each kind has its power W, with W_min and ' +
    'W_max if it comes from a single DER; for sums they are not known. raw is answered with resolution 1m, because readings ' +
    'of different DERs do not share timestamps. The load is left out while a DER that was heard before or after sends nothing.',
  access: may('read', 'site', 'params.site_id'),
  replies: { 200: SiteHistory },
});

export const streamSite = api.get('/stream/sites/{site_id}', 'Stream live telemetry of a site as server-sent events', {
  description:
    'Unnamed events contain one reading each: first the latest of every DER, then live readings. Last-Event-ID replays missed ' +
    'readings; the event gap reports when that is not possible. Named events: device, gateway, command, gap, end.',
  access: may('read', 'site', 'params.site_id'),
  query: Type.Object({
    ticket: Type.Optional(Text(128, 'from POST /stream/tickets; replaces the Authorization header')),
  }),
  replies: { 200: Type.String() },
  contentType: 'text/event-stream',
  ticket: true,
});

export const createStreamTicket = api.post('/stream/tickets', 'Create a ticket that opens one stream within 30 s', {
  description: 'For clients that cannot send headers.',
  access: may('read', 'site', 'body.site_id'),
  body: Type.Object({ site_id: Id }),
  replies: { 201: Type.Object({ ticket: Type.String(), expires_at: Timestamp }) },
  creates: true,
});

export const telemetryRoutes = api.all;
