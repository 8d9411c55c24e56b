import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { dayMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { noise } from '../house/noise.ts';
import { portOf } from '../listen.ts';
import { publication } from './a44.ts';
import { findDomain } from './domains.ts';
import { jsonAnswer } from './json-forms.ts';

type Reply = { status: number; type: string; body: Buffer; headers?: Record<string, string> };

const html = (status: number, title: string): Reply => ({
  status,
  type: 'text/html',
  body: Buffer.from(`<!DOCTYPE html><html><head><title>${title}</title></head></html>`),
});

const plain = (status: number, text: string): Reply => ({ status, type: 'text/plain', body: Buffer.from(text) });
const xml = (text: string): Reply => ({ status: 200, type: 'text/xml', body: Buffer.from(text) });

const replaced = (reply: Reply, from: RegExp, to: string): Reply => ({
  ...reply,
  body: Buffer.from(reply.body.toString().replace(from, to)),
});

const packed = (body: Buffer): Reply => ({ ...xml(''), body, headers: { 'content-encoding': 'gzip' } });

const nested = 'ha'.repeat(10);

const marketFaults = {
  outage: () => html(503, 'Service Unavailable'),
  unauthorized: () => html(401, 'Unauthorized'),
  limited: () => plain(429, 'Max allowed requests per minute exceeded'),
  html: () => html(200, 'Maintenance'),
  redirect: () => ({ ...plain(302, ''), headers: { location: 'http://127.0.0.1:1/' } }),
  huge: () =>
    xml(`<?xml version="1.0"?><Publication_MarketDocument>${' '.repeat(10_000_000)}</Publication_MarketDocument>`),
  'zip bomb': () => packed(gzipSync(Buffer.alloc(50_000_000, ' '))),
  'truncated gzip': (reply) => packed(gzipSync(reply.body).subarray(0, -200)),
  'cut in half': (reply) => ({ ...reply, body: reply.body.subarray(0, reply.body.length / 2) }),
  'not utf-8': (reply) => ({
    ...reply,
    body: Buffer.concat([reply.body.subarray(0, 200), Buffer.from([0xff, 0xfe, 0xc3])]),
  }),
  empty: (reply) => ({ ...reply, body: Buffer.alloc(0) }),
  'own entities': () =>
    xml(
      `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "${nested}"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><Publication_MarketDocument>&b;</Publication_MarketDocument>`,
    ),
  'outside entity': () =>
    xml(
      '<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><Publication_MarketDocument>&a;</Publication_MarketDocument>',
    ),
  'numeric references': () =>
    xml(`<Publication_MarketDocument>${'&#97;'.repeat(200_000)}</Publication_MarketDocument>`),
  'deep nesting': () => xml(`${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}`),
  'many elements': () => xml(`<a>${'<b/>'.repeat(1_000_000)}</a>`),
  'wrong namespace': (reply) => replaced(reply, /urn:iec62325\.351:[^"]*/, 'urn:other'),
  'wrong document': (reply) => replaced(reply, /<type>A44</, '<type>A65<'),
  'wrong area': (reply) => replaced(reply, /(_Domain\.mRID codingScheme="A01">)[^<]*/g, '$110YXX-OTHER-----X'),
  'other currency': (reply) => replaced(reply, />EUR</g, '>PLN<'),
  'absurd price': (reply) => replaced(reply, /<price\.amount>[^<]*/, '<price.amount>99999'),
  'price in words': (reply) => replaced(reply, /<price\.amount>[^<]*/, '<price.amount>1e3'),
  'hole in the day': (reply) =>
    replaced(
      replaced(reply, /<curveType>A03/g, '<curveType>A01'),
      /<Point>\s*<position>1\d<\/position>[\s\S]*?<\/Point>/g,
      '',
    ),
  'position zero': (reply) => replaced(reply, /<position>1</, '<position>0<'),
  'same position twice': (reply) => replaced(reply, /<position>2</, '<position>1<'),
} as const satisfies Record<string, (reply: Reply) => Reply>;

type MarketFault = keyof typeof marketFaults | 'silence' | 'hang up';

/** Units of each currency per euro. */
const levels = [
  'USD 1.09, JPY 163, BGN 1.9558, CZK 24.9, DKK 7.46, GBP 0.86, HUF 402, PLN 4.27, RON 5.04',
  'SEK 11.1, CHF 0.95, ISK 146, NOK 11.7, TRY 46, AUD 1.7, BRL 6.2, CAD 1.52, CNY 7.8, HKD 8.5',
  'IDR 17800, ILS 3.9, INR 96, KRW 1550, MXN 21, MYR 4.7, NZD 1.85, PHP 63, SGD 1.45, THB 36',
  'ZAR 19.6',
].flatMap((line) => line.split(', '));

/** Formats the daily exchange rates of the ECB, of the last working day. */
function exchangeRates(now: number): string {
  const at = lastWorkingDay(now);
  const cubes = levels.map((line, index) => {
    const [currency, level] = line.split(' ');
    const rate = Number(level) * (0.985 + 0.03 * noise(index, at, 20 * dayMs));
    return `      <Cube currency='${currency}' rate='${Number(rate.toPrecision(5))}'/>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Simulated market: these rates are not real</gesmes:subject>
  <Cube>
    <Cube time='${new Date(at).toISOString().slice(0, 10)}'>
${cubes.join('\n')}
    </Cube>
  </Cube>
</gesmes:Envelope>
`;
}

function lastWorkingDay(now: number): number {
  const day = new Date(now).getUTCDay();
  const back = day === 0 ? 2 : day === 6 ? 1 : 0;
  return Math.floor(now / dayMs) * dayMs - back * dayMs;
}

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
