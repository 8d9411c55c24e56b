import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createFailureLog } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import { openSocket, primaryOf } from './primary.ts';

/** Selects the callers and streams that match every field. */
export type AccessSubject = {
  identityId?: string;
  tokenId?: string;
  clientId?: string;
  siteId?: string;
};

/** Changes that every process which caches the registry must receive. */
export type Change =
  /** a gateway without an owner was claimed */
  | { what: 'claim'; serial: string }
  /** a gateway was taken from its owner */
  | { what: 'gateway'; serial: string }
  /** a device on a gateway was added, moved or removed */
  | { what: 'devices'; serial: string }
  /** the rights of a subject changed; `version` is the access version of this change */
  | ({ what: 'access'; version: number } & AccessSubject)
  /** anything may have changed while this process was not connected */
  | { what: 'anything' };

export const changesChannel = 'ohmstead_changes';

const retryMs = 1000;
const checkMs = 10_000;
const maxSilenceMs = 25_000;

type Listening = { self: string; onChange(change: Change): void; log: Logger };

/** Receives what other processes on the same PostgreSQL announce; this process's own changes are ignored here. */
export function listenForChanges(url: string, { self, onChange, log }: Listening): { close(): void } {
  const outcome = createFailureLog(log, {
    failed: 'failed to listen for changes of other processes',
    again: 'listening for changes of other processes again',
  });
  const primary = primaryOf(url);
  const stop = new AbortController();
  const stopped = once(stop.signal, 'abort');

  /** Returns when the connection is lost, when another server has become the primary, or after close(). */
  async function listenOnce(): Promise<void> {
    const connectionString = await primary.search();
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: 5000,
      stream: () => openSocket(maxSilenceMs),
    });
    const lost = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
    });
    client.on('notification', ({ payload = '' }) => {
      const { from, ...change }: Change & { from?: string } = JSON.parse(payload);
      if (from !== self) onChange(change);
    });
    try {
      await client.connect();
      await client.query(`listen ${changesChannel}`);
      outcome.succeeded();
      onChange({ what: 'anything' });
      await Promise.race([lost, stopped, untilMoved(client, connectionString)]);
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Keeps the connection busy, so that a silent server is noticed. */
  async function untilMoved(client: pg.Client, connectionString: string): Promise<void> {
    do {
      await sleep(checkMs, undefined, { signal: stop.signal }).catch(() => {});
      await client.query('select 1');
    } while (!stop.signal.aborted && (await primary.search()) === connectionString);
  }

  async function listen(): Promise<void> {
    while (!stop.signal.aborted) {
      await listenOnce().catch(outcome.failed);
      await sleep(retryMs, undefined, { signal: stop.signal }).catch(() => {});
    }
  }

  void listen();
  return { close: () => stop.abort() };
}
