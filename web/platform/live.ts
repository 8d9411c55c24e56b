import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { SiteEvent, SiteReading } from '#contract/client/site-stream.ts';
import { api } from './session.ts';

export type Live = {
  /** the newest reading of each DER by its id; a new Map whenever something changed */
  readings: Signal<ReadonlyMap<string, SiteReading>>;
  connection: Signal<'opening' | 'open' | 'lost'>;
  /** why the stream has ended for good */
  problem: Signal<unknown>;
  /** Called for every event as it comes; returns what stops it. */
  listen(listener: (event: SiteEvent) => void): () => void;
};

const showMs = 200; // nobody reads faster

/** What the stream of a site tells, while a page is looking. Readings are shown a few times a second, however many come. */
export function useLive(siteId: string): Live {
  const live = useMemo(createLive, [siteId]);
  useEffect(() => {
    const leaving = new AbortController();
    void live.follow(siteId, leaving.signal);
    return () => leaving.abort();
  }, [siteId]);
  return live;
}

function createLive(): Live & { follow(siteId: string, leaving: AbortSignal): Promise<void> } {
  const readings = signal<ReadonlyMap<string, SiteReading>>(new Map());
  const connection = signal<'opening' | 'open' | 'lost'>('opening');
  const problem = signal<unknown>(undefined);
  const listeners = new Set<(event: SiteEvent) => void>();
  let arrived: Map<string, SiteReading> | undefined;

  const show = (): void => {
    if (arrived) readings.value = arrived;
    arrived = undefined;
  };

  function take(event: SiteEvent): void {
    if (event.type === 'connected') connection.value = 'open';
    if (event.type === 'disconnected') connection.value = 'lost';
    if (event.type === 'reading') {
      if (!arrived) {
        arrived = new Map(readings.peek());
        setTimeout(show, readings.peek().size === 0 ? 0 : showMs); // the first ones at once
      }
      const { der_id, timestamp } = event.reading;
      // What a gateway had kept, or what is told again after a loss, may be older than what is shown.
      if (timestamp >= (arrived.get(der_id)?.timestamp ?? 0)) arrived.set(der_id, event.reading);
    }
    for (const listener of listeners) listener(event);
  }

  return {
    readings,
    connection,
    problem,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async follow(siteId, leaving) {
      try {
        for await (const event of api().stream(siteId, { signal: leaving })) take(event);
      } catch (error) {
        if (!leaving.aborted) problem.value = error;
      }
    },
  };
}
