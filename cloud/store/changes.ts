import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '#lib/log.ts';

/** Limits a change of rights: to callers and streams that match every field. */
export type AccessSubject = {
  identityId?: string;
  /** one token of the identity */
  tokenId?: string;
  /** an OAuth application */
  clientId?: string;
  siteId?: string;
};

/** Changes that every process which remembers the registry must hear of. */
export type Change =
  /** a gateway that was nobody's has an owner */
  | { what: 'claim'; serial: string }
  /** a gateway was taken from its owner */
  | { what: 'gateway'; serial: string }
  /** a device on a gateway came, moved or went */
  | { what: 'devices'; serial: string }
  /** the rights of a subject changed; `version` is the access version of this change */
  | ({ what: 'access'; version: number } & AccessSubject)
  /** anything may have changed while this process did not listen */
  | { what: 'anything' };

export const channel = 'ohmstead_changes';

const retryMs = 1000;
const keepAliveMs = 10_000; // the system would ask after two hours whether the other end is still there

type Listening = { self: string; hear(change: Change): void; log: Logger };

/** Hears what other processes on the same PostgreSQL announce; what this one does it hears from itself, after its commit. */
export function listenForChanges(url: string, { self, hear, log }: Listening): { close(): void } {
  let isFailing = false;
  const stop = new AbortController();
  const stopped = new Promise<void>((resolve) =>
    stop.signal.addEventListener('abort', () => resolve(), { once: true }),
  );

  /** Until the connection is lost, or nobody listens any more. */
  async function listenOnce(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      connectionTimeoutMillis: 5000,
    });
    const lost = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
    });
    client.on('notification', ({ payload }) => {
      const { from, ...change } = JSON.parse(payload!) as Change & { from?: string };
      if (from !== self) hear(change);
    });
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      if (isFailing) log.info('changes of other processes are heard again');
      isFailing = false;
      hear({ what: 'anything' });
      await Promise.race([lost, stopped]);
    } finally {
      await client.end().catch(() => {});
    }
  }

  async function listen(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        await listenOnce();
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'changes of other processes are not heard');
        isFailing = true;
      }
      await sleep(retryMs, undefined, { signal: stop.signal }).catch(() => {});
    }
  }

  void listen();
  return { close: () => stop.abort() };
}
