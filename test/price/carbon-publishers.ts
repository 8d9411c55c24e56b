import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Clock } from '#lib/clock.ts';
import { listenOnLoopback } from '../listen-on-loopback.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const lagMs = { energidataservice: 5 * minuteMs, uk: 30 * minuteMs, electricitymaps: hourMs };

/** The intensity at the start of each hour; within an hour it rises by 1 g/kWh every five minutes. */
const baseAt = (hour: number): number => 40 + ((hour / hourMs) % 200);

const gramsAt = (at: number): number => {
  const hour = Math.floor(at / hourMs) * hourMs;
  return baseAt(hour) + (at - hour) / (5 * minuteMs);
};

/** Means of an hour in steps of this length. */
export const meanAt = (hour: number, stepMs: number): number =>
  baseAt(hour) + (hourMs / stepMs - 1) * (stepMs / 10 / minuteMs);

const starts = (from: number, to: number, stepMs: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / stepMs)) }, (_, n) => from + n * stepMs);

type Replied = { status?: number; body: unknown };

/** Parses a time as Energi Data Service does: local Danish winter time unless the request names UTC. */
const danishTime = (query: URLSearchParams, name: string): number =>
  Date.parse(`${query.get(name)}Z`) - (query.get('timezone') === 'UTC' ? 0 : hourMs);

function energiDataService(url: URL, now: number): Replied {
  const { PriceArea } = JSON.parse(url.searchParams.get('filter') ?? '{}') as { PriceArea?: string[] };
  const areas = PriceArea ?? ['DK1', 'DK2'];
  const limit = Number(url.searchParams.get('limit') ?? 100) || Number.POSITIVE_INFINITY;
  const to = Math.min(danishTime(url.searchParams, 'end'), now - lagMs.energidataservice);
  const records = starts(danishTime(url.searchParams, 'start'), to, 5 * minuteMs).flatMap((at) =>
    areas.map((area) => ({
      Minutes5UTC: new Date(at).toISOString().slice(0, 19),
      Minutes5DK: new Date(at + hourMs).toISOString().slice(0, 19),
      PriceArea: area,
      CO2Emission: gramsAt(at),
    })),
  );
  return { body: { total: records.length, dataset: 'CO2Emis', records: records.slice(0, limit) } };
}

/** The real service answers with the half-hour before the range too, and with forecasts for the future. */
function ukIntensity(url: URL, now: number): Replied {
  const [, , from, to] = url.pathname.split('/').map((part) => Date.parse(part));
  if (!from || !to || to - from > 14 * dayMs) return { status: 400, body: { error: { code: '400 Bad Request' } } };
  const data = starts(from - 30 * minuteMs, to, 30 * minuteMs).map((at) => ({
    from: `${new Date(at).toISOString().slice(0, 16)}Z`,
    to: `${new Date(at + 30 * minuteMs).toISOString().slice(0, 16)}Z`,
    intensity: { forecast: 999, actual: at + 30 * minuteMs + lagMs.uk <= now ? gramsAt(at) : null, index: 'low' },
  }));
  return { body: { data } };
}

function electricityMaps(url: URL, now: number, zones: readonly string[]): Replied {
  const query = url.searchParams;
  const zone = query.get('zone') ?? '';
  const [from, to] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')];
  if (!zones.includes(zone)) return { status: 401, body: { error: `Not authorised for ${zone}.` } };
  if (!(to - from <= 10 * dayMs)) return { status: 400, body: { error: 'The range is too long.' } };
  const data = starts(from, Math.min(to, now), hourMs).map((at) => ({
    zone,
    datetime: new Date(at).toISOString(),
    carbonIntensity: gramsAt(at),
    isEstimated: at + hourMs + lagMs.electricitymaps > now,
  }));
  return { body: { zone, data } };
}

/** The three publishers of carbon intensities, written from their documentation, on one server. */
export async function startCarbonPublishers({ clock, zones = ['SE-SE3'] }: { clock: Clock; zones?: string[] }) {
  const asked: string[] = [];
  let replacement: RequestListener | undefined;
  const reply = (request: IncomingMessage): Replied => {
    const url = new URL(request.url ?? '', 'http://publishers');
    if (url.pathname === '/dataset/CO2Emis') return energiDataService(url, clock.now());
    if (url.pathname.startsWith('/intensity/')) return ukIntensity(url, clock.now());
    const isAuthorised = request.headers['auth-token'] === 'em-token';
    return isAuthorised ? electricityMaps(url, clock.now(), zones) : { status: 401, body: { error: 'Invalid token.' } };
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    asked.push(request.url ?? '');
    if (replacement) return replacement(request, response);
    const { status = 200, body } = reply(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const ids = Object.keys(lagMs);
  return {
    asked,
    /** settings of a price service that uses them */
    env: {
      CARBON_SOURCES: ids.join(),
      CARBON_SOURCE_URLS: ids.map((id) => `${id}=${url}`).join(),
      ELECTRICITYMAPS_TOKEN: 'em-token',
    },
    /** Lets another function answer from now on, or the publishers again. */
    answerWith(listener: RequestListener | undefined): void {
      replacement = listener;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
