import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Clock } from '#lib/clock.ts';
import { portOf } from '../listen.ts';
import { publication } from './a44.ts';
import { findDomain } from './domains.ts';
import { jsonAnswer } from './json-forms.ts';
import { type MarketFault, marketFaults, plain, type Reply, xml } from './market-faults.ts';
import { exchangeRates } from './rates.ts';

type MarketOptions = {
  clock: Clock;
  port?: number;
  /** the only accepted token; default: any */
  token?: string;
};

export type Market = Awaited<ReturnType<typeof startMarket>>;

const publishers = ['energy_charts', 'elprisetjustnu', 'hvakosterstrommen', 'energidataservice', 'elering', 'nordpool'];
const maxRequestedPaths = 10_000;

/** Simulates a day-ahead market and a central bank. Every answer says that it is simulated. */
export async function startMarket({ clock, port = 0, token }: MarketOptions) {
  const asked: string[] = [];
  let failing: { fault: MarketFault; path: string } | undefined;

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://market');
    asked.push(url.pathname);
    if (asked.length > maxRequestedPaths) asked.shift();
    const fault = failing && url.pathname.startsWith(failing.path) ? failing.fault : undefined;
    if (fault === 'silence') return;
    if (fault === 'hang up') return void request.socket.destroy();
    const reply = replyTo(url, { now: clock.now(), token });
    send(request, response, fault ? marketFaults[fault](reply) : reply);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${portOf(server.address())}`;
  const keylessUrls: Record<string, string> = {
    ...Object.fromEntries(publishers.map((id) => [id, base])),
    awattar: `${base}/awattar/{name}`,
  };
  return {
    entsoeUrl: `${base}/api`,
    /** publishers of JSON by name */
    keylessUrls,
    ratesUrl: `${base}/stats/eurofxref/eurofxref-daily.xml`,
    /** Sets the fault of all paths with this prefix; undefined clears it. */
    setFault(fault: MarketFault | undefined, path = '/'): void {
      failing = fault && { fault, path };
    },
    /** the most recent ones */
    requestedPaths: asked,
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function replyTo(url: URL, { now, token }: { now: number; token: string | undefined }): Reply {
  if (url.pathname === '/api') return entsoe(url.searchParams, { now, token });
  if (url.pathname === '/stats/eurofxref/eurofxref-daily.xml') return xml(exchangeRates(now));
  const answer = jsonAnswer(url, now);
  if (answer === undefined || answer === null) return plain(404, 'Not found');
  return { status: 200, type: 'application/json', body: Buffer.from(JSON.stringify(answer)) };
}

function entsoe(query: URLSearchParams, { now, token }: { now: number; token: string | undefined }): Reply {
  const given = query.get('securityToken');
  if (!given || (token !== undefined && given !== token)) return marketFaults.unauthorized();
  const offset = query.get('offset');
  return xml(
    publication(findDomain(query.get('in_Domain') ?? ''), {
      from: instantOf(query.get('periodStart')),
      to: instantOf(query.get('periodEnd')),
      now,
      offset: offset === null ? undefined : Number(offset),
    }),
  );
}

/** Parses YYYYMMDDhhmm in UTC. */
const instantOf = (text: string | null): number =>
  Date.parse((text ?? '').replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5Z'));

function send({ headers }: IncomingMessage, response: ServerResponse, reply: Reply): void {
  const { status, type, body } = reply;
  const etag = `"${hash('sha1', body, 'base64url')}"`;
  const shared = { 'simulated-market': 'true', etag, ...reply.headers };
  if (status === 200 && headers['if-none-match'] === etag) {
    response.writeHead(304, shared).end();
    return;
  }
  const isCompressed =
    reply.headers?.['content-encoding'] === undefined && /\bgzip\b/.test(headers['accept-encoding'] ?? '');
  const sent = isCompressed ? gzipSync(body) : body;
  response.writeHead(status, {
    'content-type': type,
    'content-length': sent.length,
    ...(isCompressed && { 'content-encoding': 'gzip' }),
    ...shared,
  });
  response.end(sent);
}
