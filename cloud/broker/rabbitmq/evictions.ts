import { minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { createSchedule } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import { RecentMap } from '#lib/recent-map.ts';
import type { AcceptedLogin } from '../transport.ts';
import type { Management } from './management.ts';

type EvictionDeps = { management: Management; clock: Clock; log: Logger };

type Due = AcceptedLogin & { admittedAtMs: number };

const tickMs = 1_000;
const sweepMs = 60_000;
const maxConnectionMs = 65 * minuteMs; // a broker token lives an hour
const skewMs = 10_000; // between the clocks of broker and platform, and from the login to the connection
const rememberedMs = 35_000; // auth_cache.cache_ttl, with a margin
const batchSize = 20; // thousands expire together an hour after a restart of the broker
const isMember = (username: string): boolean => username.startsWith('idt-'); // gateways sign in with their serial
const maxLogins = 200_000; // the sweep closes connections of forgotten logins

/**
 * Ends connections whose token has expired. RabbitMQ authenticates once, at the login, so the process that answered it
 * tracks the expiry. Connections that a lost process admitted are found by a sweep over all connections once a minute.
 */
export function createEvictions({ management, clock, log }: EvictionDeps) {
  const logins = new RecentMap<Due>(maxLogins);
  const closings = new Map<string, number>(); // by username: when all its connections are to be closed, 0 for at once

  async function end({ username, clientId, admittedAtMs }: Due): Promise<void> {
    const connections = await management.connectionsOf(username);
    const isTooNew = connections.some(({ connectedAtMs }) => connectedAtMs === undefined);
    if (isTooNew) await management.closeAllOf(username); // the right one is unknown; the others reconnect
    const latestMs = admittedAtMs + skewMs; // one that began later had a later login
    const ending = connections.filter(
      (one) => one.clientId === clientId && (one.connectedAtMs ?? Number.POSITIVE_INFINITY) <= latestMs,
    );
    for (const connection of ending) await management.close(connection);
    if (isTooNew || ending.length > 0) log.info({ username, clientId }, 'connection ended with its token');
  }

  async function endAndForget(key: string, login: Due): Promise<void> {
    await end(login);
    if (logins.get(key) === login) logins.delete(key);
  }

  /** Closes now, and again when the broker's permission cache has expired; a login may also have been in progress. */
  async function closeAll(username: string, atMs: number): Promise<void> {
    await management.closeAllOf(username);
    log.info({ username }, 'connections ended');
    if (closings.get(username) !== atMs) return;
    if (atMs === 0) closings.set(username, clock.now() + rememberedMs);
    else closings.delete(username);
  }

  async function endDue(): Promise<void> {
    const nowMs = clock.now();
    for (const [username, atMs] of closings) {
      if (atMs <= nowMs) await closeAll(username, atMs);
    }
    const due = [...logins].filter(([, { expiresAt }]) => expiresAt <= nowMs);
    for (let first = 0; first < due.length; first += batchSize) {
      await Promise.all(due.slice(first, first + batchSize).map(([key, login]) => endAndForget(key, login)));
    }
  }

  const retryLater = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => log.warn({ err: error }, 'connection not ended, will be retried'));

  async function evict(username: string): Promise<void> {
    closings.set(username, 0);
    await retryLater(closeAll(username, 0));
  }

  async function sweep(): Promise<void> {
    for await (const connection of management.allConnections()) {
      const { connectedAtMs } = connection;
      if (connectedAtMs !== undefined && clock.now() - connectedAtMs > maxConnectionMs)
        await management.close(connection);
    }
  }

  const schedule = createSchedule(
    log,
    [tickMs, endDue, 'ending connections'],
    [sweepMs, sweep, 'sweeping connections'],
  );

  return {
    start: schedule.start,
    admitted(login: AcceptedLogin): void {
      logins.set(`${login.username} ${login.clientId}`, { ...login, admittedAtMs: clock.now() });
    },
    evict,
    async evictToken(tokenId: string): Promise<void> {
      for (const [key, login] of logins) {
        if (login.tokenId !== tokenId) continue;
        login.expiresAt = 0;
        await retryLater(endAndForget(key, login));
      }
    },
    /** Closes the connections of all members, including those that another process admitted. */
    async evictMembers(): Promise<void> {
      const members = new Set<string>();
      for (const { username, tokenId } of logins.values()) if (tokenId !== undefined) members.add(username);
      for await (const { username } of management.allConnections()) if (isMember(username)) members.add(username);
      for (const username of members) await evict(username);
    },
    close: schedule.stop,
  };
}
