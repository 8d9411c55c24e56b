import * as contract from '#contract/cloud/telemetry.ts';
import { formatTime } from '#contract/time.ts';
import { Answer } from '#lib/http/mount.ts';
import type { CloudMount } from '../access/door.ts';
import { issueTicket } from '../access/tickets.ts';
import { getDer } from '../store/devices.ts';
import { getSite } from '../store/sites.ts';
import { listHistorySources } from '../store/telemetry-routes.ts';
import { seriesCsv } from './csv.ts';
import { derPoints, sitePoints } from './history.ts';
import { rangeOf } from './range.ts';
import { type SiteStreamDeps, streamSite } from './site-stream.ts';
import type { Streams } from './streams.ts';

const csv = (text: Uint8Array, name: string) =>
  new Answer(200, text as never, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.csv"`,
  });

/** An answer whose last and longest field is JSON already. */
function json<Body extends object, Last extends keyof Body & string>(
  rest: Omit<Body, Last>,
  last: Last,
  text: Uint8Array,
): Answer<Body> {
  const begin = Buffer.from(`${JSON.stringify(rest).slice(0, -1)},${JSON.stringify(last)}:`);
  const body = Buffer.concat([begin, text, Buffer.from('}')]);
  return new Answer(200, body as never, { 'content-type': 'application/json; charset=utf-8' });
}

export function telemetryRoutes(mount: CloudMount, deps: SiteStreamDeps & { streams: Streams }): void {
  const { telemetry, streams } = deps;

  mount(contract.getDerTelemetry, async ({ params, query, db, now }) => {
    const der = await getDer(db, params.der_id);
    const range = rangeOf(query, now);
    const timezone = range.resolution === '1d' ? (await getSite(db, der.site_id)).timezone : undefined; // only days need it
    const { format } = query;
    const points = await derPoints(telemetry, der.no, range, { timeZone: timezone ?? 'UTC', format });
    if (format === 'csv') return csv(points, der.name);
    const { from, to, resolution } = range;
    const rest = { der_id: der.id, type: der.type, from: formatTime(from), to: formatTime(to), resolution };
    return json<contract.DerHistory, 'points'>(rest, 'points', points);
  });

  mount(contract.getSiteTelemetry, async ({ params, query, db, now }) => {
    const { timezone, name } = await getSite(db, params.site_id);
    const asked = rangeOf(query, now);
    // Readings of different DERs have no common instants; a minute is the finest that can be added up.
    const range = asked.resolution === 'raw' ? { ...asked, resolution: '1m' as const } : asked;
    const sources = await listHistorySources(db, params.site_id);
    const series = await sitePoints(telemetry, sources, range, timezone ?? 'UTC');
    if (query.format === 'csv') return csv(await seriesCsv(series), encodeURIComponent(name));
    const { from, to, resolution } = range;
    return { site_id: params.site_id, from: formatTime(from), to: formatTime(to), resolution, series };
  });

  mount(contract.streamSite, ({ params, caller, headers }) => {
    const lastEventId = headers['last-event-id']?.toString() || undefined; // empty before the first event
    return streams.answer({ caller, route: contract.streamSite, params }, (stream) =>
      streamSite(stream, params.site_id, lastEventId, deps),
    );
  });

  mount(contract.createStreamTicket, async ({ body, caller, db, now }) => {
    const { ticket, expiresAt } = await issueTicket(db, caller, body.site_id, now);
    return { ticket, expires_at: formatTime(expiresAt) };
  });
}
