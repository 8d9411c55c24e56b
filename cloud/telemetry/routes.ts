import { Readable } from 'node:stream';
import * as contract from '#contract/cloud/telemetry.ts';
import { formatTime } from '#contract/time.ts';
import { PreSerialized } from '#lib/http/mount.ts';
import type { Caller } from '../access/caller.ts';
import type { CloudMount } from '../access/door.ts';
import { issueTicket } from '../access/tickets.ts';
import { getDer } from '../store/devices.ts';
import { getSite } from '../store/sites.ts';
import type { TextPart } from '../store/telemetry/telemetry-store.ts';
import { listHistorySources } from '../store/telemetry-registry.ts';
import { parseRange, streamDerPoints } from './history.ts';
import { type SiteStreamDeps, streamSite } from './live.ts';
import { readSitePowers, siteCsv, siteJson } from './site-history.ts';
import type { Streams } from './streams.ts';
import { createUnsentAnswers } from './unsent-answers.ts';

const csvHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}.csv"`,
});
const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };

/** Wraps text into a JSON object, as its last field. */
async function* lastField(rest: object, name: string, text: AsyncGenerator<TextPart>): AsyncGenerator<TextPart> {
  let before = `${JSON.stringify(rest).slice(0, -1)},${JSON.stringify(name)}:`;
  for await (const { bytes, isLast } of text) {
    yield { bytes: Buffer.concat([Buffer.from(before), bytes, Buffer.from(isLast ? '}' : '')]), isLast };
    before = '';
  }
}

async function* bytesOf(first: Uint8Array, rest: AsyncGenerator<TextPart>): AsyncGenerator<Uint8Array> {
  yield first;
  for await (const { bytes } of rest) yield bytes;
}

export function telemetryRoutes(mount: CloudMount, deps: SiteStreamDeps & { streams: Streams }): void {
  const { telemetry, streams } = deps;
  const unread = createUnsentAnswers();

  /** Sends a small answer whole, and a large one in parts, each made when the previous one was read. */
  async function send<Body>(
    caller: Caller,
    text: AsyncGenerator<TextPart>,
    headers: Record<string, string>,
    heldBytes = 0,
  ): Promise<PreSerialized<Body>> {
    const { bytes, isLast }: TextPart = (await text.next()).value;
    const onSent = unread.hold(caller.identityId, {
      bytes: heldBytes + (isLast ? bytes.length : 0),
      isStreamed: !isLast,
    });
    const body = isLast ? bytes : Readable.from(bytesOf(bytes, text), { highWaterMark: 1 });
    return new PreSerialized<Body>({ text: body, headers, onSent });
  }

  mount(contract.getDerTelemetry, async ({ params, query, caller, db, now }) => {
    const der = await getDer(db, params.der_id);
    const range = parseRange(query, now);
    const timezone = range.resolution === '1d' ? (await getSite(db, der.site_id)).timezone : undefined; // only days need it
    const { format } = query;
    const points = streamDerPoints(telemetry, der.no, range, { timeZone: timezone ?? 'UTC', format });
    if (format === 'csv') return send<contract.DerHistory>(caller, points, csvHeaders(der.name));
    const { from, to, resolution } = range;
    const rest = { der_id: der.id, type: der.type, from: formatTime(from), to: formatTime(to), resolution };
    return send<contract.DerHistory>(caller, lastField(rest, 'points', points), jsonHeaders);
  });

  mount(contract.getSiteTelemetry, async ({ params, query, caller, db, now }) => {
    const { timezone, name } = await getSite(db, params.site_id);
    const asked = parseRange(query, now);
    // Readings of different DERs have no common times; a minute is the finest resolution that can be added up.
    const range = asked.resolution === 'raw' ? { ...asked, resolution: '1m' as const } : asked;
    const sources = await listHistorySources(db, params.site_id);
    const powers = await readSitePowers(telemetry, sources, range, timezone ?? 'UTC');
    const heldBytes = powers.at.byteLength * (1 + 3 * powers.kinds.size);
    if (query.format === 'csv') {
      return send<contract.SiteHistory>(caller, siteCsv(powers), csvHeaders(encodeURIComponent(name)), heldBytes);
    }
    const { from, to, resolution } = range;
    const rest = { site_id: params.site_id, from: formatTime(from), to: formatTime(to), resolution };
    return send<contract.SiteHistory>(caller, siteJson(powers, rest), jsonHeaders, heldBytes);
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
