import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { createSchedule } from '#lib/every.ts';
import { Streaming } from '#lib/http/mount.ts';
import { type EventStream, formatEvent, openEventStream } from '#lib/http/sse.ts';
import { authorize } from '../access/authorize.ts';
import { type Caller, mayCall } from '../access/caller.ts';
import { currentCaller } from '../access/current-caller.ts';
import type { AccessSubject } from '../store/changes.ts';
import type { CommonDeps } from '../store/store.ts';

/** A request for a stream: the caller, and the route and object that its access is checked by. */
type Followed = { caller: Caller; route: Pick<Route, 'access' | 'scope'>; params: Record<string, string> };

type Open = Followed & { stream: EventStream };

/** Selects the streams that match every field. */
export type StreamSubject = AccessSubject & { serial?: string };

export type Streams = ReturnType<typeof createStreams>;

const checkMs = 1000;
const maxLanes = 8; // PostgreSQL answers several queries at once
const minLaneLength = 16;
const checksAtOnce = 2; // of each lane, before other requests are served

export type StreamsDeps = CommonDeps & { maxPerIdentity: number };

/** Keeps streams open for as long as their callers have access. */
export function createStreams({ store, maxPerIdentity, clock, log }: StreamsDeps) {
  const open = new Set<Open>();
  const index = new Map<string, Set<Open>>(); // by each field that a subject may have
  let opened: Open[] = []; // since the last check: access may have changed while a stream was being opened
  const schedule = createSchedule(log, [checkMs, checkDue, 'checking open streams']);
  let isUnsure = false;

  function end(which: Open, reason: string): void {
    open.delete(which);
    which.stream.end(formatEvent(JSON.stringify({ reason }), { event: 'end' }));
  }

  const isOver = ({ caller }: Open): boolean => caller.expiresAt <= clock.now();

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

  /** A stream that could not be checked stays open, and all are checked again next time. */
  async function check(streams: readonly Open[]): Promise<void> {
    const faults: unknown[] = [];
    const checkOne = async (which: Open): Promise<void> => {
      if (!(await maySee(which))) end(which, isOver(which) ? 'token_expired' : 'access_lost');
    };
    const queue = streams.entries(); // each lane takes the next
    const checkLane = async (): Promise<void> => {
      for (const [place, which] of queue) {
        await checkOne(which).catch((error: unknown) => faults.push(error));
        if (place % checksAtOnce === checksAtOnce - 1) await nextTurn();
      }
    };
    const lanes = Math.min(maxLanes, Math.ceil(streams.length / minLaneLength));
    await Promise.all(Array.from({ length: lanes }, checkLane));
    if (faults.length === 0) return;
    isUnsure = true;
    throw faults[0];
  }

  async function checkDue(): Promise<void> {
    for (const which of open) if (isOver(which)) end(which, 'token_expired');
    const due = isUnsure ? [...open] : opened;
    isUnsure = false;
    opened = [];
    await check(due);
  }

  function keep(which: Open): void {
    const keys = keysOf(subjectOf(which));
    open.add(which);
    opened.push(which);
    for (const key of keys) index.set(key, (index.get(key) ?? new Set()).add(which));
    which.stream.onClose(() => {
      open.delete(which);
      for (const key of keys) {
        const streams = index.get(key);
        streams?.delete(which);
        if (streams?.size === 0) index.delete(key);
      }
    });
  }

  /** Returns the open streams of a subject, in the order they were opened. */
  function find(subject: StreamSubject): Open[] {
    const [fewest, ...others] = keysOf(subject)
      .map((key) => index.get(key) ?? new Set<Open>())
      .sort((a, b) => a.size - b.size);
    return [...(fewest ?? open)].filter((which) => others.every((streams) => streams.has(which)));
  }

  return {
    /** Answers with a stream that `begin` fills. The number of open streams per identity is limited. */
    answer(followed: Followed, begin: (stream: EventStream) => Promise<void>): Streaming {
      const [key = ''] = keysOf({ identityId: followed.caller.identityId });
      if ((index.get(key)?.size ?? 0) >= maxPerIdentity) {
        const sentence = `You have ${maxPerIdentity} streams open; close some of them first.`;
        throw new Problem('rate_limited', sentence, { retryAfterSeconds: 5 });
      }
      return new Streaming((response, headers) => {
        const stream = openEventStream(response, headers);
        keep({ ...followed, stream });
        begin(stream).catch((error: unknown) => {
          log.error({ err: error, ...followed.params }, 'stream failed');
          stream.end();
        });
      });
    },
    /** Ends streams whose caller has lost access: those of a subject, or any. Rejects when some could not be checked. */
    recheck: (subject?: StreamSubject): Promise<void> => check(subject ? find(subject) : [...open]),
    count: (): number => open.size,
    start: schedule.start,
    close(): void {
      schedule.stop();
      for (const which of open) end(which, 'server_closing');
    },
  };
}

const subjectOf = ({ caller, params }: Followed): StreamSubject => ({
  identityId: caller.identityId,
  tokenId: caller.tokenId,
  ...(caller.application && { clientId: caller.application.clientId }),
  ...(params.site_id !== undefined && { siteId: params.site_id }),
  ...(params.serial !== undefined && { serial: params.serial }),
});

const keysOf = (subject: StreamSubject): string[] =>
  Object.entries(subject).flatMap(([field, value]) => (value === undefined ? [] : [`${field} ${value}`]));
