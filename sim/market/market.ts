import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Clock } from '#lib/clock.ts';
import { publication } from './a44.ts';
import { findDomain } from './domains.ts';
import { jsonAnswer } from './json-forms.ts';
import { type MarketFault, marketFaults, type Reply } from './market-faults.ts';
import { exchangeRates } from './rates.ts';

type MarketOptions = {
  clock: Clock;
  port?: number;
  /** the only token that is taken; without it any */
  token?: string;
};

export type Market = {
  /** for day-ahead prices as ENTSO-E publishes them */
  entsoeUrl: string;
  /** for the publishers of JSON, by the name of each */
  keylessUrls: Record<string, string>;
  /** for exchange rates as the central bank publishes them */
  ratesUrl: string;
  /** What goes wrong from now on, with the paths that begin so; nothing without a fault. */
  fail(fault: MarketFault | undefined, path?: string): void;
  /** The paths that have been asked for so far. */
  asked: readonly string[];
  close(): Promise<void>;
};

const publishers = ['energy_charts', 'elprisetjustnu', 'hvakosterstrommen', 'energidataservice', 'elering', 'nordpool'];
const mostAsked = 10_000;

/** A day-ahead market and a central bank. Whatever they answer says that it is simulated. */
export async function startMarket({ clock, port = 0, token }: MarketOptions): Promise<Market> {
  const asked: string[] = [];
  let failing: { fault: MarketFault; path: string } | undefined;

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://market');
    asked.push(url.pathname);
    if (asked.length > mostAsked) asked.shift();
    const fault = failing && url.pathname.startsWith(failing.path) ? failing.fault : undefined;
    if (fault === 'silence') return;
    if (fault === 'hang up') return void request.socket.destroy();
    const reply = replyTo(url, { now: clock.now(), token });
    send(request, response, fault ? marketFaults[fault](reply) : reply);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    entsoeUrl: `${base}/api`,
    keylessUrls: { ...Object.fromEntries(publishers.map((id) => [id, base])), awattar: `${base}/awattar/{name}` },
    ratesUrl: `${base}/stats/eurofxref/eurofxref-daily.xml`,
    fail(fault, path = '/') {
      failing = fault && { fault, path };
    },
    asked,
    async close() {
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
  if (answer === undefined || answer === null)
    return { status: 404, type: 'text/plain', body: Buffer.from('Not found') };
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

const xml = (text: string): Reply => ({ status: 200, type: 'text/xml', body: Buffer.from(text) });

/** YYYYMMDDhhmm in UTC. */
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
  const isPacked =
    reply.headers?.['content-encoding'] === undefined && /\bgzip\b/.test(headers['accept-encoding'] ?? '');
  const sent = isPacked ? gzipSync(body) : body;
  response.writeHead(status, {
    'content-type': type,
    'content-length': sent.length,
    ...(isPacked && { 'content-encoding': 'gzip' }),
    ...shared,
  });
  response.end(sent);
}
