import { minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import type { Management } from './management.ts';

/** A login that was accepted; `tokenId` where it can be revoked by itself. */
export type AcceptedLogin = { username: string; clientId: string; expiresAt: number; tokenId?: string };

export type Evictions = {
  start(): void;
  admitted(login: AcceptedLogin): void;
  evict(username: string): Promise<void>;
  evictToken(tokenId: string): Promise<void>;
  /** Closes the connections of all members, also of those that another process admitted. */
  evictMembers(): Promise<void>;
  close(): void;
};

type EvictionDeps = { management: Management; clock: Clock; log: Logger };

type Due = AcceptedLogin & { admittedAtMs: number };

const tickMs = 1_000;
const sweepMs = 60_000;
const longestMs = 65 * minuteMs; // a broker token lives an hour
const skewMs = 10_000; // between the clocks of broker and platform, and from the login to the connection
const rememberedMs = 35_000; // auth_cache.cache_ttl, and a little
const atOnce = 20; // thousands are due together an hour after the broker was restarted
const isMember = (username: string): boolean => username.startsWith('idt-'); // gateways sign in with their serial
const mostLogins = 200_000; // what is forgotten here, the sweep finds

/**
 * Ends connections whose time is up. RabbitMQ asks at the login and never again, so the process that was asked keeps
 * the time; what a lost process admitted is found by going through all connections once a minute.
 */
export function createEvictions({ management, clock, log }: EvictionDeps): Evictions {
  const logins = new Map<string, Due>();
  const closings = new Map<string, number>(); // by username: when all its connections are to be closed, 0 for at once
  const timers: NodeJS.Timeout[] = [];

  async function end({ username, clientId, admittedAtMs }: Due): Promise<void> {
    const connections = await management.connectionsOf(username);
    const isTooNew = connections.some(({ connectedAtMs }) => connectedAtMs === undefined);
    if (isTooNew) await management.closeAllOf(username); // it cannot be told which; the others come back
    const latestMs = admittedAtMs + skewMs; // one that began later had a later login
    const ending = connections.filter((one) => one.clientId === clientId && one.connectedAtMs! <= latestMs);
    for (const connection of ending) await management.close(connection);
    if (isTooNew || ending.length > 0) log.info({ username, clientId }, 'connection ended with its token');
  }

  async function endAndForget(key: string, login: Due): Promise<void> {
    await end(login);
    if (logins.get(key) === login) logins.delete(key);
  }

  /** At once, and once more when the broker has forgotten its permissions; a login may have been under way, too. */
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
    for (let first = 0; first < due.length; first += atOnce) {
      await Promise.all(due.slice(first, first + atOnce).map(([key, login]) => endAndForget(key, login)));
    }
  }

  const tried = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => log.warn({ err: error }, 'connection not ended, will be tried again'));

  async function sweep(): Promise<void> {
    for await (const connection of management.allConnections()) {
      const { connectedAtMs } = connection;
      if (connectedAtMs !== undefined && clock.now() - connectedAtMs > longestMs) await management.close(connection);
    }
  }

  return {
    start() {
      timers.push(every(tickMs, endDue, 'ending connections', log), every(sweepMs, sweep, 'sweeping connections', log));
    },
    admitted(login) {
      const key = `${login.username} ${login.clientId}`;
      logins.delete(key);
      if (logins.size >= mostLogins) logins.delete(logins.keys().next().value!);
      logins.set(key, { ...login, admittedAtMs: clock.now() });
    },
    async evict(username) {
      closings.set(username, 0);
      await tried(closeAll(username, 0));
    },
    async evictToken(tokenId) {
      for (const [key, login] of logins) {
        if (login.tokenId !== tokenId) continue;
        login.expiresAt = 0;
        await tried(endAndForget(key, login));
      }
    },
    async evictMembers() {
      const members = new Set<string>();
      for (const { username, tokenId } of logins.values()) if (tokenId !== undefined) members.add(username);
      for await (const { username } of management.allConnections()) if (isMember(username)) members.add(username);
      for (const username of members) {
        closings.set(username, 0);
        await tried(closeAll(username, 0));
      }
    },
    close() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
