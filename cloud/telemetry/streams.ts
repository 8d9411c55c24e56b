import type { Route } from '#contract/route.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import { type EventStream, formatEvent } from '#lib/http/sse.ts';
import type { Logger } from '#lib/log.ts';
import { authorize } from '../access/authorize.ts';
import { type Caller, mayCall } from '../access/caller.ts';
import { currentCaller } from '../access/current-caller.ts';
import type { Store } from '../store/store.ts';

type Open = {
  stream: EventStream;
  caller: Caller;
  route: Pick<Route, 'access' | 'scope'>;
  params: Record<string, string>;
};

/** The streams that are open, each for as long as its caller may see what it shows. */
export type Streams = {
  add(open: Open): void;
  /** Tokens, members or owners changed somewhere: ends what nobody may see any more. */
  recheck(): Promise<void>;
  count(): number;
  start(): void;
  close(): void;
};

const expiryCheckMs = 1000;

export function createStreams({ store, clock, log }: { store: Store; clock: Clock; log: Logger }): Streams {
  const open = new Set<Open>();
  let timer: NodeJS.Timeout | undefined;

  function end(which: Open, reason: string): void {
    open.delete(which);
    which.stream.end(formatEvent(JSON.stringify({ reason }), { event: 'end' }));
  }

  async function maySee({ caller: before, route, params }: Open): Promise<boolean> {
    const caller = await currentCaller(store.db, before, clock.now());
    if (!caller || !mayCall(caller, route)) return false;
    return authorize(route.access, caller, { params, query: {}, body: {} }, store.db).then(
      () => true,
      () => false,
    );
  }

  async function endExpired(): Promise<void> {
    const now = clock.now();
    for (const which of open) if (which.caller.expiresAt <= now) end(which, 'token_expired');
  }

  return {
    add(which) {
      open.add(which);
      which.stream.onClose(() => open.delete(which));
    },
    async recheck() {
      for (const which of open) if (!(await maySee(which))) end(which, 'access_lost');
    },
    count: () => open.size,
    start() {
      timer = every(expiryCheckMs, endExpired, 'ending expired streams', log);
    },
    close() {
      clearInterval(timer);
      for (const which of open) end(which, 'server_closing');
    },
  };
}
