import { Problem } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import { Streaming } from '#lib/http/mount.ts';
import { type EventStream, formatEvent, openEventStream } from '#lib/http/sse.ts';
import type { Logger } from '#lib/log.ts';
import { authorize } from '../access/authorize.ts';
import { type Caller, mayCall } from '../access/caller.ts';
import { currentCaller } from '../access/current-caller.ts';
import type { Store } from '../store/store.ts';

/** What somebody follows, and by which right. */
type Followed = { caller: Caller; route: Pick<Route, 'access' | 'scope'>; params: Record<string, string> };

type Open = Followed & { stream: EventStream };

/** The streams that are open, each for as long as its caller may see what it shows. */
export type Streams = {
  /** The answer to who follows something: a stream that `begin` fills. One identity may have so many open at once. */
  answer(followed: Followed, begin: (stream: EventStream) => Promise<void>): Streaming;
  /** Tokens, members or owners changed somewhere: ends what nobody may see any more. Rejects when it could not all be told. */
  recheck(): Promise<void>;
  count(): number;
  start(): void;
  close(): void;
};

const lookMs = 1000;

export type StreamsDeps = { store: Store; mostOfIdentity: number; clock: Clock; log: Logger };

export function createStreams({ store, mostOfIdentity, clock, log }: StreamsDeps): Streams {
  const open = new Set<Open>();
  const openOf = new Map<string, number>(); // by identity
  let timer: NodeJS.Timeout | undefined;
  let isUnsure = false;

  function end(which: Open, reason: string): void {
    open.delete(which);
    which.stream.end(formatEvent(JSON.stringify({ reason }), { event: 'end' }));
  }

  async function maySee({ caller: before, route, params }: Open): Promise<boolean> {
    const caller = await currentCaller(store.db, before, clock.now());
    if (!caller || !mayCall(caller, route)) return false;
    try {
      await authorize(route.access, caller, { params, query: {}, body: {} }, store.db);
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  /** What could not be looked up ends nothing, and is asked again with the next look. */
  async function recheck(): Promise<void> {
    const faults: unknown[] = [];
    const ask = (which: Open): Promise<boolean> =>
      maySee(which).catch((error: unknown) => {
        faults.push(error);
        return true;
      });
    for (const which of open) if (!(await ask(which))) end(which, 'access_lost');
    if (faults.length === 0) return;
    isUnsure = true;
    throw faults[0];
  }

  async function look(): Promise<void> {
    const now = clock.now();
    for (const which of open) if (which.caller.expiresAt <= now) end(which, 'token_expired');
    if (!isUnsure) return;
    isUnsure = false;
    await recheck();
  }

  function keep(which: Open): void {
    const { identityId } = which.caller;
    open.add(which);
    openOf.set(identityId, countOf(identityId) + 1);
    which.stream.onClose(() => {
      open.delete(which);
      const left = countOf(identityId) - 1;
      if (left > 0) openOf.set(identityId, left);
      else openOf.delete(identityId);
    });
  }

  const countOf = (identityId: string): number => openOf.get(identityId) ?? 0;

  return {
    answer(followed, begin) {
      if (countOf(followed.caller.identityId) >= mostOfIdentity) {
        const sentence = `You have ${mostOfIdentity} streams open; close some of them first.`;
        throw new Problem('rate_limited', sentence, { retryAfterSeconds: 5 });
      }
      return new Streaming((response, headers) => {
        const stream = openEventStream(response, headers);
        keep({ ...followed, stream });
        begin(stream).catch((error: unknown) => {
          log.error({ err: error, ...followed.params }, 'a stream broke off');
          stream.end();
        });
      });
    },
    recheck,
    count: () => open.size,
    start() {
      timer = every(lookMs, look, 'ending streams that are over', log);
    },
    close() {
      clearInterval(timer);
      for (const which of open) end(which, 'server_closing');
    },
  };
}
