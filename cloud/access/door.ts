import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import type { Clock } from '#lib/clock.ts';
import type { Door, Mount } from '#lib/http/mount.ts';
import { addressKey } from '#lib/rate-limit.ts';
import type { Sessions } from '../identity/sessions.ts';
import type { Db } from '../store/engine.ts';
import type { Store, Write } from '../store/store.ts';
import { authorize, type Held } from './authorize.ts';
import type { Spend } from './budgets.ts';
import type { Caller } from './caller.ts';
import { once } from './idempotency.ts';

/** What a handler knows beside its request. A change runs in one transaction, and `db` is that transaction. */
export type Context = {
  /** on a public route nobody is known and this is not to be read */
  caller: Caller;
  held: Held;
  db: Db;
  now: number;
  afterCommit: Write['afterCommit'];
};

export type CloudMount = Mount<Context>;

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

const nobody: Caller = { identityId: 'anonymous', type: 'user', tokenId: '', expiresAt: 0 };

const noEffects: Write['afterCommit'] = () => {
  throw new Error('A read has no effects after a commit.');
};

export type DoorDeps = { store: Store; sessions: Sessions; spend: Spend; clock: Clock };

/** Who comes in (token, budget), and what they may touch (policy), for every route of the cloud. */
export function createCloudDoor({ store, sessions, spend, clock }: DoorDeps): Door<Context> {
  function admit(route: Route) {
    const budget = route.budget ?? 'ordinary';
    const isPublic = typeof route.access === 'string';
    return (request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined => {
      const enter = (caller: Caller): void => {
        request.caller = caller;
        spend(budget, caller.identityId, reply);
      };
      if (isPublic) {
        request.caller = nobody;
        spend(budget, addressKey(request.ip), reply);
        return undefined;
      }
      const caller = sessions.authenticate(request.headers.authorization);
      if (!(caller instanceof Promise)) {
        enter(caller);
        return undefined;
      }
      return caller.then(enter, (error: unknown) => {
        spend('ordinary', addressKey(request.ip), reply);
        throw explain(error);
      });
    };
  }

  async function serve(route: Route, request: FastifyRequest, handle: (context: Context) => unknown): Promise<unknown> {
    const caller = request.caller!;
    const now = clock.now();
    const act = async (db: Db, afterCommit: Write['afterCommit'], idempotencyKey?: string): Promise<unknown> => {
      const held = await authorize(route.access, caller, request, db);
      const answer = () => handle({ caller, held, db, now, afterCommit });
      if (idempotencyKey === undefined) return answer();
      const text = JSON.stringify([route.method, request.url, request.body ?? null]);
      const asker = caller === nobody ? addressKey(request.ip) : caller.identityId;
      return once({ key: idempotencyKey, caller: asker, request: text }, db, now, answer);
    };
    try {
      if (route.method === 'GET' || route.readOnly) return await act(store.db, noEffects);
      const key = route.creates ? request.headers['idempotency-key'] : undefined;
      return await store.write(({ db, afterCommit }) => act(db, afterCommit, key?.toString()));
    } catch (error) {
      throw explain(error);
    }
  }

  function explain(error: unknown): unknown {
    if (!store.isUnavailable(error)) return error;
    const sentence = 'The database cannot be reached just now; try again shortly.';
    return new Problem('unavailable', sentence, { retryAfterSeconds: 2 }, { cause: error });
  }

  return { unknownFields: 'refuse', admit, serve };
}
