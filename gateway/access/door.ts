import { networkInterfaces } from 'node:os';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Form, forms } from '#contract/gateway/form.ts';
import { Problem } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { dayMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { checkIdempotencyKey, keyReused, replayed } from '#lib/http/idempotency.ts';
import type { Door, Mount } from '#lib/http/mount.ts';
import { addressKey, createBudget } from '#lib/rate-limit.ts';
import { RecentMap } from '#lib/recent-map.ts';
import { sameSecret } from '#lib/secret.ts';

type LocalContext = {
  form: Form;
  now: number;
  /** the JSON text of the body, unparsed */
  bodyText: string;
  from: string;
};

export type LocalMount = Mount<LocalContext>;

export type LocalDoorOptions = {
  /** guarded: routes that change something need the local token */
  api: 'open' | 'guarded';
  form: Form;
  /** further host names of this gateway, besides its addresses and *.local */
  names: readonly string[];
  localToken: string;
  isClaimed(): boolean;
  /** the platform, whose page may read and ask for a signature */
  cloudUrl?: string | undefined;
  /** requests per minute for each address */
  rate: number;
  /** probes of the local network per minute, all callers together */
  probeRate: number;
  clock: Clock;
};

/** How the local API differs from other servers: this door refuses foreign hosts, and `/api/devices/` lacks a serial. */
export const localServerOptions = {
  errors: 'local',
  keepsBodyText: true,
  ignoresTrailingSlash: false,
  checksHostForm: false,
} as const;

const forOwnerWords =
  'This gateway is claimed, so this needs its local token, as Authorization: Bearer. ' +
  'On the machine of the gateway, ohmstead gateway token prints it.';

/** Checks the host and origin of every request, also for pages and errors, and the token on the routes that need it. */
export function createLocalDoor(app: FastifyInstance, options: LocalDoorOptions): Door<LocalContext> {
  const { api, form, localToken, clock } = options;
  const isOurs = createOwnHosts(options.names, clock);
  const spend = createBudget('ordinary', options.rate, clock);
  const spendProbe = createBudget('probe', options.probeRate, clock);
  const probing = new WeakMap<FastifyRequest, FastifyReply>();
  const repeat = createIdempotency(clock);
  const platform = options.cloudUrl && new URL(options.cloudUrl).origin;

  app.addHook('onRequest', async (request, reply) => {
    if (!isOurs(request.headers.host)) {
      throw new Problem('misdirected', 'This gateway does not answer to that host name; use its address.');
    }
    if (platform) reply.header('vary', 'origin');
    const asked = askedOf(request);
    if (!isForeign(asked) || followsLink(asked)) return undefined;
    if (!platform || asked.headers.origin !== platform) {
      throw new Problem('forbidden', 'The page of another site may not use this gateway.');
    }
    return welcome(asked, reply);
  });

  function hasToken(request: FastifyRequest): boolean {
    const given = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    return given !== undefined && sameSecret(given, localToken);
  }

  return {
    unknownFields: 'ignore',
    admit({ access, method, path, isProbe, isForOwner }: Route) {
      if (typeof access === 'object' || access === 'internal') {
        throw new Error(`${method} ${path}: a gateway knows no identities.`);
      }
      const needsToken = access === 'guarded' && api === 'guarded';
      return async (request, reply) => {
        spend(addressKey(request.ip), reply);
        if (isForOwner && options.isClaimed() && !hasToken(request))
          throw new Problem('local_token_required', forOwnerWords);
        if (needsToken && !hasToken(request)) {
          throw new Problem('unauthenticated', 'This needs the local token of the gateway, as Authorization: Bearer.');
        }
        if (isProbe) probing.set(request, reply);
      };
    },
    serve({ creates, replies }, request, handle) {
      const { bodyText, headers, ip: from } = request;
      const probe = probing.get(request);
      if (probe) spendProbe('', probe); // well-formed ones, all callers together: the gateway must not be a port scanner
      const context = { form: formOf(headers['x-api-form'], form), now: clock.now(), bodyText, from };
      const key = creates ? headers['idempotency-key']?.toString() : undefined;
      if (key === undefined) return handle(context);
      return repeat(key, `${request.url} ${bodyText}`, Number(Object.keys(replies)[0]), () => handle(context));
    },
  };
}

/** Allows requests from the platform's page as far as permitted, and answers its preflight requests. */
function welcome({ method, path, headers }: Asked, reply: FastifyReply): FastifyReply | undefined {
  const wanted = headers['access-control-request-method'];
  const isPreflight = method === 'OPTIONS' && wanted !== undefined;
  if (!mayPlatform(isPreflight ? wanted : method, path)) {
    throw new Problem('forbidden', 'The page of the platform may read here and ask for a signature, no more.');
  }
  reply.header('access-control-allow-origin', headers.origin);
  reply.header('access-control-expose-headers', 'retry-after, x-request-id');
  if (!isPreflight) return undefined;
  if (headers['access-control-request-private-network'] === 'true') {
    reply.header('access-control-allow-private-network', 'true');
  }
  return reply
    .header('access-control-allow-methods', 'GET, HEAD, POST')
    .header('access-control-allow-headers', 'authorization, content-type, x-api-form')
    .header('access-control-max-age', 600)
    .code(204)
    .send();
}

type Asked = ReturnType<typeof askedOf>;

/** Returns the parts of a request that identify its origin. */
const askedOf = ({ method, url, protocol, headers, routeOptions }: FastifyRequest) => ({
  method,
  // The router maps several spellings of a path to one route.
  path: routeOptions.url ?? url.replace(/\?.*$/s, ''),
  ownOrigin: new URL(`${protocol}://${headers.host}`).origin,
  headers,
});

function formOf(header: string | string[] | undefined, usual: Form): Form {
  if (header === undefined) return usual;
  const asked = forms.find((known) => known === String(header).trim().toLowerCase());
  if (!asked) throw new Problem('invalid_request', `X-API-Form must be one of ${forms.join(', ')}.`);
  return asked;
}

/** True when a page of another origin sent the request. Other programs send neither header. */
function isForeign({ headers, ownOrigin }: Asked): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== ownOrigin) return true;
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

const pages = ['/', '/app', '/app/*', '/docs', '/redoc'];

/** True when a browser follows a link to one of our pages, not inside a frame. */
const followsLink = ({ method, path, headers }: Asked): boolean =>
  method === 'GET' &&
  pages.includes(path) &&
  headers.origin === undefined &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

/** True for what the platform's page may do: read and request a signature. A Wi-Fi scan is a GET with side effects. */
function mayPlatform(method: string, path: string): boolean {
  if (method === 'GET' || method === 'HEAD') return path !== '/api/wifi/scan';
  return method === 'POST' && path === '/api/crypto/sign';
}

const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/;
const refreshMs = 1000;

/** Returns a check whether a Host header names this machine, against DNS rebinding by foreign pages. */
function createOwnHosts(names: readonly string[], clock: Clock): (host: string | undefined) => boolean {
  const further = names.map((name) => canonical(name.trim().toLowerCase()));
  const known = new Set(['localhost', '127.0.0.1', '[::1]', ...further]);
  let addresses = new Set<string>();
  let readAt = Number.NEGATIVE_INFINITY;

  function isAddressOfOurs(name: string): boolean {
    // A former address does no harm; a new one is found when a request uses it.
    if (!addresses.has(name) && Math.abs(clock.now() - readAt) >= refreshMs) {
      addresses = ownAddresses();
      readAt = clock.now();
    }
    return addresses.has(name);
  }

  return (host = '') => {
    const asked = hostForm.exec(host.toLowerCase())?.[1];
    if (!asked || !URL.canParse(`http://${host}`)) return false;
    const name = canonical(asked);
    return known.has(name) || name.endsWith('.local') || isAddressOfOurs(name);
  };
}

function ownAddresses(): Set<string> {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(all.map(({ address }) => canonical(address)));
}

/** Normalises a host name: no trailing dot, IPv6 in brackets and shortened. */
function canonical(name: string): string {
  if (!name.includes(':')) return name.replace(/\.$/, '');
  const literal = `http://[${name.replace(/^\[|\]$/g, '')}]`;
  return URL.canParse(literal) ? new URL(literal).hostname : name;
}

const maxKept = 100;

/** Repeats the answer to a retried request with the same idempotency key, for 24 hours or until a restart. */
function createIdempotency(clock: Clock) {
  const known = new RecentMap<{ request: string; answer: Promise<unknown>; until: number }>(maxKept);

  return async (key: string, request: string, status: number, act: () => unknown): Promise<unknown> => {
    checkIdempotencyKey(key);
    const before = known.get(key);
    if (before && before.until > clock.now()) {
      if (before.request !== request) throw keyReused();
      return replayed(status, await before.answer);
    }
    const made = { request, answer: (async () => act())(), until: clock.now() + dayMs };
    known.set(key, made);
    try {
      return await made.answer;
    } catch (error) {
      if (known.get(key) === made) known.delete(key); // a refused request does not use up its key
      throw error;
    }
  };
}
