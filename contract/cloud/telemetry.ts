import type { Static } from 'typebox';
import { may } from '../access.ts';
import { route } from '../route.ts';
import { Type } from '../schema.ts';
import { Id, OneOf, Text, Timestamp } from '../text.ts';

const tag = 'Telemetry';

export const resolutions = ['raw', '1m', '5m', '15m', '1h', '1d'] as const;
export type Resolution = (typeof resolutions)[number];

/** Readings of one raw answer: two days and more of one a second, some months of one a minute. */
export const maxRawReadings = 200_000;

/** Values of one raw answer: 50 fields of each of the readings. */
export const maxRawValues = 10_000_000;

/** Estimated text of one raw answer. */
export const maxRawBytes = 256 * 1024 * 1024;

const instant = (description: string) =>
  Type.Optional(Text(40, `${description}; RFC 3339, Unix seconds or milliseconds`));

const range = {
  from: instant('the beginning, 24 hours before the end when left out'),
  to: instant('the end, now when left out'),
  resolution: Type.Optional(OneOf(resolutions, { description: 'chosen by the length of the range when left out' })),
  fields: Type.Optional(Text(1024, 'names separated by commas; all when left out')),
  format: Type.Optional(OneOf(['json', 'csv'])),
};

/** A number for each field; of a bucket also W_min, W_max and the like. */
const Point = Type.Intersect([
  Type.Object({ timestamp: Type.Integer({ description: 'ms; of a bucket its start' }) }),
  Type.Record(Type.String(), Type.Number()),
]);

const answered = {
  from: Timestamp,
  to: Timestamp,
  resolution: OneOf(resolutions),
};

export const DerHistory = Type.Object(
  {
    der_id: Type.String(),
    type: Type.String(),
    ...answered,
    points: Type.Array(Type.Unsafe<Static<typeof Point>>({})),
  },
  { title: 'DerHistory' },
);
export type DerHistory = Static<typeof DerHistory>;

const Series = Type.Object({ kind: Type.String(), points: Type.Array(Type.Unsafe<Static<typeof Point>>({})) });

export const SiteHistory = Type.Object(
  { site_id: Type.String(), ...answered, series: Type.Array(Series) },
  { title: 'SiteHistory' },
);
export type SiteHistory = Static<typeof SiteHistory>;

export const getDerTelemetry = route({
  method: 'GET',
  path: '/ders/{der_id}/telemetry',
  tag,
  summary: 'The history of a DER',
  description:
    'Means of power-like fields (rounded to three decimals) with their least and greatest value, the last value of ' +
    'counters. Buckets without data ' +
    'are left out; 1d is the local day of the site, the others are aligned in UTC. raw are the readings themselves: 31 ' +
    `days at once, and no more than ${maxRawReadings} readings with ${maxRawValues} values and about ` +
    `${maxRawBytes / 1024 ** 2} MB of text; beyond that, 422 says how to narrow the request (fields, or a shorter range). ` +
    'A large answer is sent as fast as it is read. An identity that leaves many of them unread is refused with 429, and ' +
    'so is everybody with 503 while too many are unread; Retry-After says when to try again.',
  access: may('read', 'der', 'params.der_id'),
  scope: 'read:telemetry',
  query: Type.Object(range),
  replies: { 200: DerHistory },
  otherTypes: ['text/csv'],
  problems: ['unprocessable'],
});

export const getSiteTelemetry = route({
  method: 'GET',
  path: '/sites/{site_id}/telemetry',
  tag,
  summary: 'The history of a site, per kind, with what the house itself used',
  description:
    'load = meter - pv - battery - charger, in the signs of this platform. Each kind has its power, W; with W_min and ' +
    'W_max where it is that of one DER, as those of a sum are not known. raw is answered as 1m, and says so: readings ' +
    'of different DERs have no common times. Where a DER is silent that was heard before or since, the load is not known.',
  access: may('read', 'site', 'params.site_id'),
  scope: 'read:telemetry',
  query: Type.Object(range),
  replies: { 200: SiteHistory },
  otherTypes: ['text/csv'],
  problems: ['unprocessable'],
});

export const streamSite = route({
  method: 'GET',
  path: '/stream/sites/{site_id}',
  tag,
  summary: 'Live telemetry of a site as server-sent events',
  description:
    'Unnamed events, one reading each: first the latest of every DER, then live. Last-Event-ID replays what was ' +
    'missed; event gap tells when that is not possible. Named events: device, gateway, command, gap, end.',
  access: may('read', 'site', 'params.site_id'),
  scope: 'read:telemetry',
  query: Type.Object({ ticket: Type.Optional(Text(128, 'from POST /stream/tickets, instead of the bearer header')) }),
  replies: { 200: Type.String() },
  contentType: 'text/event-stream',
  ticket: true,
});

export const createStreamTicket = route({
  method: 'POST',
  path: '/stream/tickets',
  tag,
  summary: 'A ticket that opens one stream within 30 s, for clients that cannot send headers',
  access: may('read', 'site', 'body.site_id'),
  scope: 'read:telemetry',
  body: Type.Object({ site_id: Id }),
  replies: { 201: Type.Object({ ticket: Type.String(), expires_at: Timestamp }) },
  creates: true,
});

export const telemetryRoutes = [getDerTelemetry, getSiteTelemetry, streamSite, createStreamTicket];
