import type { DeviceState } from '#contract/cloud/devices.ts';
import { derKindOf } from '#contract/der.ts';
import { createFanOut } from '#lib/http/fan-out.ts';
import { type EventBatch, formatEvent } from '#lib/http/sse.ts';
import type { Transport } from '../broker/transport.ts';
import type { Sample } from '../store/telemetry/telemetry-store.ts';
import type { TelemetryRoute } from '../store/telemetry-registry.ts';
import { measuredOf } from './measured.ts';

/** Events of a site, formatted once for all who listen, in the order they were emitted. */
export type Live = {
  hasListeners(siteId: string): boolean;
  emit(siteId: string, event: string): void;
  /** What was emitted so far has reached the listeners when this returns, as far as it came by this process alone. */
  flush(siteId: string): void;
  listen(siteId: string, listener: (parcel: EventBatch) => void): Promise<() => void>;
};

/** Within this process; `shared` through the broker as well, so that viewers elsewhere see it. */
export function createLive(shared?: Transport): Live {
  const fanOut = createFanOut();
  const stops = new Map<string, Promise<() => void>>();
  const topicOf = (siteId: string): string => `live/${siteId}`;

  // After a reading soon comes another; for news such as the end of a command somebody waits.
  const deliver = (siteId: string, event: string): void =>
    fanOut.emit(siteId, event, eventId(event) === undefined ? 'now' : 'soon');

  return {
    // Another process may have listeners that we do not see.
    hasListeners: (siteId) => shared !== undefined || fanOut.hasListeners(siteId),

    emit(siteId, event) {
      if (shared) shared.publish(topicOf(siteId), event);
      else deliver(siteId, event);
    },

    flush: fanOut.flush,

    async listen(siteId, listener) {
      const isFirst = fanOut.add(siteId, listener);
      if (shared && isFirst) {
        stops.set(
          siteId,
          shared.watch(topicOf(siteId), (event) => deliver(siteId, event)),
        );
      }
      await stops.get(siteId);
      return () => {
        if (!fanOut.remove(siteId, listener)) return;
        const stopping = stops.get(siteId);
        stops.delete(siteId);
        void stopping?.then((stop) => stop());
      };
    },
  };
}

/** Readings have one, other news have none. */
export const eventId = (event: string): string | undefined =>
  event.startsWith('id: ') ? event.slice(4, event.indexOf('\n')) : undefined;

/** What becomes of a device, as viewers of its site hear it. */
export const deviceEvent = (device_id: string, state: DeviceState): string =>
  formatEvent(JSON.stringify({ device_id, state }), { event: 'device' });

type Shown = { at: number; values: Record<string, unknown> };

/** A reading as members hear it on the broker: what was measured, dated, with what it belongs to. */
export function ownReading({ at, values }: Shown, route: TelemetryRoute): Record<string, unknown> {
  const { org_id, site_id, device_id, der_id, der_type } = route;
  return { ...measuredOf(values), timestamp: at, org_id, site_id, device_id, der_id, der_type };
}

/** A reading as viewers see it: its own fields, dated, with what it belongs to. */
function shownReading({ at, values }: Shown, route: TelemetryRoute): Record<string, unknown> {
  const { seq, ...fields } = measuredOf(values);
  const { site_id, device_id, der_id, der_name, der_type } = route;
  return { ...fields, type: derKindOf[der_type], timestamp: at, site_id, device_id, der_id, der_name, der_type };
}

export const readingEvent = (sample: Shown & Pick<Sample, 'received'>, route: TelemetryRoute): string =>
  formatEvent(JSON.stringify(shownReading(sample, route)), { id: String(sample.received) });
