import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { SiteEvent, SiteReading } from '#contract/client/site-stream.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { noteReadings } from './last-values.ts';
import { api, session } from './session.ts';

const renderMs = 200; // limits re-rendering, however many readings arrive

/** Follows the event stream of a site while the component is mounted. */
export function useLive(siteId: string): Live {
  const live = useMemo(() => createLive(siteId), [siteId]);
  useStream(siteId, (signal) => api().stream(siteId, { signal }), live.handle, live.problem);
  return live;
}

/** Handles the items of a stream while the component is mounted, and notes why the stream ended for good. */
export function useStream<Item>(
  id: string,
  open: (leaving: AbortSignal) => AsyncIterable<Item>,
  handle: (item: Item) => void,
  problem: Signal<unknown>,
): void {
  useEffect(() => {
    const leaving = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const item of open(leaving.signal)) handle(item);
    };
    follow().catch((error: unknown) => {
      if (!leaving.signal.aborted) problem.value = error;
    });
    return () => leaving.abort();
  }, [id]);
}

export type Live = ReturnType<typeof createLive>;

function createLive(siteId: string) {
  /** latest reading of each DER by ID; replaced by a new Map on every change */
  const readings = signal<ReadonlyMap<string, SiteReading>>(new Map());
  const connection = signal<'opening' | 'open' | 'lost'>('opening');
  /** why the stream ended for good */
  const problem = signal<unknown>(undefined);
  const listeners = new Set<(event: SiteEvent) => void>();
  let pending: Map<string, SiteReading> | undefined;

  const show = (): void => {
    if (pending) readings.value = pending;
    pending = undefined;
    if (session.peek().state === 'in') noteReadings(siteId, readings.peek());
  };

  function handle(event: SiteEvent): void {
    if (event.type === 'connected') connection.value = 'open';
    if (event.type === 'disconnected') connection.value = 'lost';
    if (event.type === 'reading') {
      if (!pending) {
        pending = new Map(readings.peek());
        setTimeout(show, readings.peek().size === 0 ? 0 : renderMs); // show the first readings immediately
      }
      const { der_id, timestamp } = event.reading;
      // Backfilled or replayed readings may be older than the ones shown.
      if (timestamp >= (pending.get(der_id)?.timestamp ?? 0)) pending.set(der_id, event.reading);
    }
    for (const listener of listeners) listener(event);
  }

  return {
    readings,
    connection,
    problem,
    /** Calls the listener for every event; returns a function that stops it. */
    listen(listener: (event: SiteEvent) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    handle,
  };
}

export type LiveProps = { site: SiteDetails; live: Live };
