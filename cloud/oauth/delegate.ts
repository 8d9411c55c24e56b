import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { delegatedRoutes, getUserinfo } from '#contract/cloud/oauth.ts';
import { Problem } from '#contract/problem.ts';
import type { Door } from '#lib/http/mount.ts';
import type { Context } from '../access/door.ts';
import { explain } from '../access/explain.ts';
import type { Sessions } from '../identity/sessions.ts';
import { findIdentity } from '../store/identities.ts';
import type { Store } from '../store/store.ts';
import { claimsOf } from './clients.ts';
import type { OAuthServer } from './server.ts';

const resume = '/oauth/authorize/:uid';
const crossOrigin = delegatedRoutes.filter(({ path }) => path !== '/oauth/authorize').map(({ path }) => path);

export type DelegateDeps = { server: OAuthServer; sessions: Sessions; store: Store };

/** Passes OAuth requests to the OAuth server unchanged, before their body is read. */
export function delegate(app: FastifyInstance, { server, sessions, store }: DelegateDeps, door: Door<Context>): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const provider = await server.get();
    const { raw } = request;
    const { host, protocol, pathname } = new URL(server.issuer());
    // URLs in its responses use the issuer, whatever host the request names.
    Object.assign(raw.headers, { host, 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) });
    Object.assign(raw, { baseUrl: pathname.replace(/\/$/, '') });
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value) reply.raw.setHeader(name, value);
    await provider.callback()(raw, reply.raw);
    return reply;
  };
  const readOwn = (authorization: string | undefined) =>
    ownUserinfo(authorization, sessions, store).catch((error: unknown) => {
      throw explain(error, store);
    });
  const unreached: RouteHandlerMethod = () => {
    throw new Error('The OAuth server should have answered.');
  };

  const preflight = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { origin, 'access-control-request-method': asked } = request.headers;
    if (!origin || !asked) throw new Problem('method_not_allowed', 'OPTIONS is for CORS preflight requests only.');
    return answer(request, reply);
  };

  for (const route of delegatedRoutes) {
    const admit = door.admit(route);
    app.route({
      method: route.method,
      url: route.path,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        await admit(request, reply);
        if (route.path === '/oauth/authorize') prepare(request);
        const own = route === getUserinfo ? await readOwn(request.headers.authorization) : undefined;
        if (own) return reply.header('cache-control', 'no-store').send(own);
        return answer(request, reply);
      },
      handler: unreached,
    });
  }
  app.get(resume, { exposeHeadRoute: false, onRequest: answer }, unreached);
  for (const path of new Set(crossOrigin)) app.options(path, { onRequest: preflight }, unreached);
}

/** Refuses repeated parameters, which other parsers may read differently. */
function prepare({ raw }: FastifyRequest): void {
  const [path = '', ...rest] = (raw.url ?? '').split('?');
  const query = rest.join('?'); // a second question mark belongs to a value
  const names = [...new URLSearchParams(query).keys()];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Problem('invalid_request', 'A parameter must not be repeated.');
  // The person is always asked; the OAuth server grants offline_access only with prompt=consent.
  if (!names.includes('prompt')) raw.url = `${path}?${query}&prompt=consent`;
}

// Application tokens have no dots.
const ownToken = /^Bearer +[^.]+\.[^.]+\.[^.]+$/i;

/** Returns the userinfo of a person who uses their own token; undefined for application tokens. */
async function ownUserinfo(authorization: string | undefined, sessions: Sessions, store: Store) {
  if (authorization === undefined || !ownToken.test(authorization)) return undefined;
  const { identityId } = await sessions.authenticate(authorization);
  return claimsOf((await findIdentity(store.db, identityId))!);
}
