import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import type { Budget, Route } from '#contract/route.ts';
import { minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import type { Door, Mount } from '#lib/http/mount.ts';
import { isObject } from '#lib/json.ts';
import { addressKey, createBudget, type SharedSpending } from '#lib/rate-limit.ts';
import { sameSecret } from '#lib/secret.ts';
import type { CloudConfig } from '../config.ts';
import type { Sessions } from '../identity/sessions.ts';
import type { Db } from '../store/engine.ts';
import { MissingRow } from '../store/prepared.ts';
import type { Store, Write } from '../store/store.ts';
import { isApplicationToken } from './application-tokens.ts';
import { authorize, type Held } from './authorize.ts';
import { type Caller, mayCall } from './caller.ts';
import { explain } from './explain.ts';
import { once } from './idempotency.ts';
import { type CheckQuota, createQuotaChecks, type QuotaConfig } from './quotas.ts';
import { redeemTicket } from './tickets.ts';
import type { TokenMemory } from './token-memory.ts';

/** The context of a handler besides its request. A write runs in one transaction, and `db` is that transaction. */
export type Context = {
  /** anonymous on public routes */
  caller: Caller;
  held: Held;
  db: Db;
  now: number;
  headers: FastifyRequest['headers'];
  /** address of the client, behind trusted proxies */
  ip: string;
  checkQuota: CheckQuota;
} & Omit<Write, 'db'>;

export type CloudMount = Mount<Context>;

/** Returns the organization of an object that the policy of the route names, and the caller's role there. */
export function heldIn({ held }: Pick<Context, 'held'>, kind: keyof Held): NonNullable<Held[keyof Held]> {
  const found = held[kind];
  if (!found) throw new Error(`The policy of the route does not name a ${kind}.`);
  return found;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

const anonymous: Caller = { identityId: 'anonymous', type: 'user', tokenId: '', expiresAt: 0 };

const noEffects: Omit<Write, 'db'> & Pick<Context, 'checkQuota'> = {
  afterCommit: () => {
    throw new Error('A read cannot register effects after a commit.');
  },
  announce: () => Promise.reject(new Error('A read cannot announce changes.')),
  checkQuota: () => Promise.reject(new Error('A read cannot check quotas.')),
};

/** Reports an invalid token (RFC 6750, 3.1). */
function challenge({ headers }: FastifyRequest, reply: FastifyReply): void {
  if (/^Bearer ./i.test(headers.authorization ?? '')) reply.header('www-authenticate', 'Bearer error="invalid_token"');
}

function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('The request was not admitted.');
  return caller;
}

function queryValue({ query }: FastifyRequest, name: 'token' | 'ticket'): string | undefined {
  const value = isObject(query) ? query[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

type Handle = (context: Context) => unknown;

export type DoorDeps = {
  store: Store;
  sessions: Sessions;
  applications: TokenMemory;
  spend: SpendFrom;
  quotas: QuotaConfig;
  clock: Clock;
  /** the secret of brokers and other processes of this platform */
  internalToken(): string;
};

/** Checks token, budget and policy for every route of the cloud. */
export function createCloudDoor(deps: DoorDeps): Door<Context> {
  const { store, sessions, applications, spend, clock } = deps;
  const checksOf = createQuotaChecks(deps.quotas);
  let warnedAt = Number.NEGATIVE_INFINITY;

  function checkInternal(request: FastifyRequest): void {
    const given = queryValue(request, 'token') ?? (request.headers.authorization ?? '').replace(/^Bearer /i, '');
    if (sameSecret(given, deps.internalToken())) return;
    const now = clock.now();
    if (given && Math.abs(now - warnedAt) >= minuteMs) {
      warnedAt = now;
      const message = 'request with a wrong INTERNAL_TOKEN refused; if it came from RabbitMQ, gateways cannot connect';
      request.log.warn({ ip: request.ip }, message);
    }
    throw new Problem('unauthenticated', 'This route is for the platform itself and needs the internal token.');
  }

  /** Runs before the body is read. */
  function admit(route: Route) {
    const { access, budget = 'ordinary' } = route;
    return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (typeof access === 'string') {
        request.caller = anonymous;
        // Without a budget for internal routes: a broker needs its answer.
        return access === 'internal' ? checkInternal(request) : spend(budget, addressKey(request.ip), reply);
      }
      request.caller = await identify(route, request).catch((error: unknown) => refuse(error, request, reply));
      spend(budget, request.caller.identityId, reply);
      checkScope(request.caller, route, reply);
    };
  }

  async function identify(route: Route, request: FastifyRequest): Promise<Caller> {
    const ticket = route.ticket ? queryValue(request, 'ticket') : undefined;
    if (ticket === undefined) return authenticate(request.headers.authorization);
    const { site_id } = request.params as { site_id: string };
    return store.write(({ db }) => redeemTicket(db, ticket, site_id, clock.now()));
  }

  const authenticate = (authorization: string | undefined): Promise<Caller> =>
    isApplicationToken(authorization) ? applications.authenticate(authorization) : sessions.authenticate(authorization);

  /** Counts a failed authentication against the address. */
  function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): never {
    spend('ordinary', addressKey(request.ip), reply);
    if (error instanceof Problem) challenge(request, reply);
    throw explain(error, store);
  }

  function checkScope(caller: Caller, route: Route, reply: FastifyReply): void {
    if (mayCall(caller, route)) return;
    const { scope } = route;
    reply.header('www-authenticate', `Bearer error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`);
    const needed = scope ? `It needs the scope ${scope}.` : 'Applications cannot; the person can do it themselves.';
    throw new Problem('forbidden', `This application is not allowed to do this. ${needed}`);
  }

  async function serve(route: Route, request: FastifyRequest, handle: Handle): Promise<unknown> {
    const isRead = route.method === 'GET' || route.readOnly || route.waits;
    try {
      return await (isRead ? read(route, request, handle) : change(route, request, handle));
    } catch (error) {
      if (isRead && error instanceof MissingRow) {
        throw new Problem('not_found', 'This has just been deleted.', {}, { cause: error });
      }
      throw explain(error, store);
    }
  }

  async function read({ access }: Route, request: FastifyRequest, handle: Handle): Promise<unknown> {
    const { db } = store;
    const caller = callerOf(request);
    const held = await authorize(access, caller, request, db);
    const { headers, ip } = request;
    return handle({ ...noEffects, caller, held, db, now: clock.now(), headers, ip });
  }

  function change(route: Route, request: FastifyRequest, handle: Handle): Promise<unknown> {
    const caller = callerOf(request);
    const now = clock.now();
    const key = route.creates ? request.headers['idempotency-key']?.toString() : undefined;
    return store.write(async (write) => {
      const { db } = write;
      const held = await authorize(route.access, caller, request, db);
      const checkQuota = checksOf(caller, db);
      const answer = (): unknown =>
        handle({ ...write, caller, held, now, headers: request.headers, ip: request.ip, checkQuota });
      if (key === undefined) return answer();
      const text = JSON.stringify([route.method, request.url, request.body ?? null]);
      const owner = caller === anonymous ? addressKey(request.ip) : caller.identityId;
      return once({ key, caller: owner, request: text }, db, now, answer);
    });
  }

  return { unknownFields: 'refuse', admit, serve };
}

/** Takes one request from one of a caller's budgets. Throws if it is used up. */
type SpendFrom = (budget: Budget, key: string, reply: FastifyReply) => void;

export function createBudgets(config: CloudConfig, clock: Clock, shared?: SharedSpending): SpendFrom {
  const budgets = {
    ordinary: createBudget('ordinary', config.RATE_ORDINARY, clock, shared),
    register: createBudget('register', config.RATE_REGISTER, clock, shared),
    login: createBudget('login', config.RATE_LOGIN, clock, shared),
    claim: createBudget('claim', config.RATE_CLAIM, clock, shared),
    control: createBudget('control', config.RATE_CONTROL, clock, shared),
    alerts: createBudget('alerts', config.RATE_ALERTS, clock, shared),
  };
  return (budget, key, reply) => budgets[budget](key, reply);
}
