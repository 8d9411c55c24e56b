import type { DerTypeId } from '#contract/der.ts';
import { formatEvent } from '#lib/http/sse.ts';
import type { Transport } from '../broker/transport.ts';
import type { Sample } from '../store/telemetry/telemetry-store.ts';
import type { TelemetryRoute } from '../store/telemetry-routes.ts';

/** Events of a site, formatted once for all who listen. */
export type Live = {
  hasListeners(siteId: string): boolean;
  emit(siteId: string, event: string): void;
  listen(siteId: string, listener: (event: string) => void): Promise<() => void>;
};

/** Within this process; `shared` through the broker as well, so that viewers elsewhere see it. */
export function createLive(shared?: Transport): Live {
  const sites = new Map<string, Set<(event: string) => void>>();
  const stops = new Map<string, Promise<() => void>>();
  const topicOf = (siteId: string): string => `live/${siteId}`;

  function deliver(siteId: string, event: string): void {
    for (const listener of sites.get(siteId) ?? []) listener(event);
  }

  return {
    // Another process may have listeners that we do not see.
    hasListeners: (siteId) => shared !== undefined || sites.has(siteId),

    emit(siteId, event) {
      if (shared) shared.publish(topicOf(siteId), event);
      else deliver(siteId, event);
    },

    async listen(siteId, listener) {
      const listeners = sites.get(siteId) ?? new Set();
      sites.set(siteId, listeners.add(listener));
      if (shared && !stops.has(siteId)) {
        stops.set(
          siteId,
          shared.watch(topicOf(siteId), (_, event) => deliver(siteId, event)),
        );
      }
      await stops.get(siteId);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || sites.get(siteId) !== listeners) return;
        sites.delete(siteId);
        const stopping = stops.get(siteId);
        stops.delete(siteId);
        void stopping?.then((stop) => stop());
      };
    },
  };
}

const kindOf: Record<DerTypeId, string> = {
  solar: 'pv',
  battery: 'battery',
  meter: 'meter',
  ev_charger_port: 'v2x_charger',
  load: 'meter',
};

type Shown = { at: number; values: Record<string, unknown> };

/** A reading as clients see it: its own fields, dated, with what it belongs to. */
export function shownReading({ at, values }: Shown, route: TelemetryRoute): Record<string, unknown> {
  const { seq, ...fields } = values;
  const { site_id, device_id, der_id, der_name, der_type } = route;
  return { ...fields, type: kindOf[der_type], timestamp: at, site_id, device_id, der_id, der_name, der_type };
}

export const readingEvent = (sample: Shown & Pick<Sample, 'received'>, route: TelemetryRoute): string =>
  formatEvent(JSON.stringify(shownReading(sample, route)), { id: String(sample.received) });
