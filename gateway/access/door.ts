import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Form, forms } from '#contract/gateway/form.ts';
import { Problem } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import type { Clock } from '#lib/clock.ts';
import type { Door } from '#lib/http/mount.ts';
import { addressKey, createBudget } from '#lib/rate-limit.ts';
import { sameSecret } from '#lib/secret.ts';
import type { LocalContext } from './local-context.ts';
import { type Asked, followsLink, isForeign, mayPlatform } from './origins.ts';
import { createOwnHosts } from './own-hosts.ts';
import { createRepeats } from './repeats.ts';

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
