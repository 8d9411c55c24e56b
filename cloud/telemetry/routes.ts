import { Readable } from 'node:stream';
import * as contract from '#contract/cloud/telemetry.ts';
import { Problem } from '#contract/problem.ts';
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

// An answer in parts holds at most three of 4 MB: one in the socket, one on its way there, one being made.
const streamedBytes = 12 * 1024 ** 2;
const maxBytesOfIdentity = 4 * streamedBytes;
const maxBytes = 16 * streamedBytes;
const retryAfterSeconds = 5;

/** Limits the memory of history answers that clients have not read yet. */
function createUnsentAnswers() {
  const ofIdentity = new Map<string, number>();
  let total = 0;

  function add(identityId: string, bytes: number): void {
    total += bytes;
    const held = (ofIdentity.get(identityId) ?? 0) + bytes;
    if (held > 0) ofIdentity.set(identityId, held);
    else ofIdentity.delete(identityId);
  }

  return {
    /** Counts an answer, or refuses it when there are too many. Returns a function that ends the count. */
    hold(identityId: string, { bytes, isStreamed }: { bytes: number; isStreamed: boolean }): () => void {
      const size = bytes + (isStreamed ? streamedBytes : 0);
      const held = ofIdentity.get(identityId) ?? 0;
      if (held > 0 && held + size > maxBytesOfIdentity) {
        const sentence = 'Too many large history answers of this identity are still being sent. Read them first.';
        throw new Problem('rate_limited', sentence, { retryAfterSeconds });
      }
      if (total > 0 && total + size > maxBytes) {
        const sentence = 'Too many large history answers are being sent at the moment. Try again in a few seconds.';
        throw new Problem('unavailable', sentence, { retryAfterSeconds });
      }
      add(identityId, size);
      let isHeld = true;
      return () => {
        if (isHeld) add(identityId, -size);
        isHeld = false;
      };
    },
  };
}

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
