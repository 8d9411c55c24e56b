import type { IncomingHttpHeaders } from 'node:http';
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

/** What a handler of the local API knows beside its request. */
type LocalContext = {
  form: Form;
  now: number;
  /** the JSON text of the body, as it came */
  bodyText: string;
  /** address of the caller */
  from: string;
};

export type LocalMount = Mount<LocalContext>;

export type LocalDoorOptions = {
  /** guarded: routes that change something need the local token */
  api: 'open' | 'guarded';
  /** the form that is spoken to those who do not ask for one */
  form: Form;
  /** host names that are ours beside the addresses of this machine and *.local */
  names: readonly string[];
  localToken: string;
  /** whether somebody owns this gateway on a platform */
  isClaimed(): boolean;
  /** the platform, whose page may read and ask for a signature */
  cloudUrl?: string | undefined;
  /** requests a minute for each address */
  rate: number;
  /** probes of the local network a minute, all callers together */
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

const preflightSeconds = 600;

const forOwnerWords =
  'This gateway is claimed, so this needs its local token, as Authorization: Bearer. ' +
  'On the machine of the gateway, ohmstead gateway token prints it.';

/**
 * Who may call the gateway. Whether a request was sent to us and not by a page of somebody else is asked of everything that
 * this server answers, pages and mistakes included; the token is asked of the routes that say so.
 */
export function createLocalDoor(app: FastifyInstance, options: LocalDoorOptions): Door<LocalContext> {
  const { api, form, localToken, clock } = options;
  const isOurs = createOwnHosts(options.names, clock);
  const spend = createBudget('ordinary', options.rate, clock);
  const spendProbe = createBudget('probe', options.probeRate, clock);
  const probing = new WeakMap<FastifyRequest, FastifyReply>();
  const repeat = createRepeats(clock);
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
      return (request, reply) => {
        spend(addressKey(request.ip), reply);
        if (isForOwner && options.isClaimed() && !hasToken(request))
          throw new Problem('local_token_required', forOwnerWords);
        if (needsToken && !hasToken(request)) {
          throw new Problem('unauthenticated', 'This needs the local token of the gateway, as Authorization: Bearer.');
        }
        if (isProbe) probing.set(request, reply);
        return undefined;
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

/** Lets the page of the platform do what it may, and answers it when it asks first. */
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
    .header('access-control-max-age', preflightSeconds)
    .code(204)
    .send();
}

const askedOf = ({ method, url, protocol, headers, routeOptions }: FastifyRequest): Asked => ({
  method,
  // The router takes several spellings of a path for one route.
  path: routeOptions.url ?? url.split('?', 1)[0]!,
  ownOrigin: new URL(`${protocol}://${headers.host}`).origin,
  headers,
});

function formOf(header: string | string[] | undefined, usual: Form): Form {
  if (header === undefined) return usual;
  const asked = forms.find((known) => known === String(header).trim().toLowerCase());
  if (!asked) throw new Problem('invalid_request', `X-API-Form must be one of ${forms.join(', ')}.`);
  return asked;
}

/** A request as a browser describes it. */
type Asked = {
  method: string;
  /** of the route that serves it; the path as sent where none does */
  path: string;
  /** scheme, host and port it was sent to */
  ownOrigin: string;
  headers: IncomingHttpHeaders;
};

/** A page of another origin sent it. Programs other than browsers send neither header. */
function isForeign({ headers, ownOrigin }: Asked): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== ownOrigin) return true;
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

const pages = ['/', '/app', '/app/*', '/docs', '/redoc'];

/** Somebody followed a link to one of our pages; in a frame it would be another destination. */
const followsLink = ({ method, path, headers }: Asked): boolean =>
  method === 'GET' &&
  pages.includes(path) &&
  headers.origin === undefined &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

/** What the page of the platform may do here: read, and ask for a signature. A scan is a GET that does something. */
function mayPlatform(method: string, path: string): boolean {
  if (method === 'GET' || method === 'HEAD') return path !== '/api/wifi/scan';
  return method === 'POST' && path === '/api/crypto/sign';
}

const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/;
const refreshMs = 1000;

/**
 * Whether a Host header names this machine: by an address of its own, localhost, a name ending in .local, or one of `names`.
 * A page elsewhere whose name was pointed at us (DNS rebinding) sends that name.
 */
function createOwnHosts(names: readonly string[], clock: Clock): (host: string | undefined) => boolean {
  const known = new Set([
    'localhost',
    '127.0.0.1',
    '[::1]',
    ...names.map((name) => canonical(name.trim().toLowerCase())),
  ]);
  let addresses = new Set<string>();
  let readAt = Number.NEGATIVE_INFINITY;

  function isAddressOfOurs(name: string): boolean {
    // An address that we lost does no harm; one that we got is looked for when it is asked for.
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

/** One spelling: no dot at the end, IPv6 in brackets and shortened. */
function canonical(name: string): string {
  if (!name.includes(':')) return name.replace(/\.$/, '');
  const literal = `http://[${name.replace(/^\[|\]$/g, '')}]`;
  return URL.canParse(literal) ? new URL(literal).hostname : name;
}

type Known = { request: string; answer: Promise<unknown>; until: number };

const keptMs = dayMs;
const mostKept = 100;

/** The retry of a request that was answered is answered alike, for 24 hours or until the gateway starts anew. */
function createRepeats(clock: Clock) {
  const known = new RecentMap<Known>(mostKept);

  return async (key: string, request: string, status: number, act: () => unknown): Promise<unknown> => {
    checkIdempotencyKey(key);
    const before = known.get(key);
    if (before && before.until > clock.now()) {
      if (before.request !== request) throw keyReused();
      return replayed(status, await before.answer);
    }
    const made = { request, answer: (async () => act())(), until: clock.now() + keptMs };
    known.set(key, made);
    try {
      return await made.answer;
    } catch (error) {
      if (known.get(key) === made) known.delete(key); // what was refused leaves its key free
      throw error;
    }
  };
}
