import { type DerTypeId, derTypeOf, derTypeSpellings } from '#contract/der.ts';
import type { Clock } from '#lib/clock.ts';
import type { Store } from '../store/store.ts';
import { findIngestRoutes, type IngestRoute } from '../store/telemetry-routes.ts';
import { ByGateway } from './by-gateway.ts';

type Device = { ders: Map<string, IngestRoute>; until: number };

const unknownMs = 10_000; // how long "not provisioned" is believed without asking again
const knownMs = 60_000; // and how long the rest, in case another process changed it

export type Routing = {
  /** Where the telemetry of this DER of this gateway belongs; undefined when it is not provisioned. */
  find(serial: string, device: string, der: string): IngestRoute | undefined | Promise<IngestRoute | undefined>;
  /** The registry changed for this gateway, or in a way that nobody can tell. */
  forget(serial?: string): void;
};

/** Remembers which DER each topic means, so that a message costs a look into a map. */
export function createRouting(store: Store, clock: Clock): Routing {
  const devices = new ByGateway<Device>();
  const asking = new ByGateway<Promise<Device>>();

  /** Messages that wait for the same answer go on together, in the order they came. */
  function ask(serial: string, device: string): Promise<Device> {
    const underWay = asking.get(serial, device);
    if (underWay) return underWay;
    const asked = look(serial, device);
    asking.set(serial, device, asked);
    const settle = (found?: Device): void => {
      if (asking.get(serial, device) !== asked) return; // forgotten meanwhile, and perhaps asked anew
      asking.delete(serial, device);
      if (found) devices.set(serial, device, found);
    };
    asked.then(settle, () => settle());
    return asked;
  }

  async function look(serial: string, device: string): Promise<Device> {
    const routes = await findIngestRoutes(store.db, serial, device);
    return { ders: byEverySpelling(routes), until: clock.now() + (routes.length > 0 ? knownMs : unknownMs) };
  }

  return {
    find(serial, device, der) {
      const known = devices.get(serial, device);
      if (known && known.until > clock.now()) return known.ders.get(der);
      return ask(serial, device).then(({ ders }) => ders.get(der));
    },

    forget(serial) {
      // What is being looked up may be the past already.
      for (const known of [devices, asking]) {
        known.forget(serial);
      }
    },
  };
}

/** A DER answers to its name; to its type too, where no other has that name. The oldest of a type is the one meant. */
function byEverySpelling(routes: readonly IngestRoute[]): Map<string, IngestRoute> {
  const ders = new Map(routes.map((route) => [route.der_name, route]));
  const byType = new Map<DerTypeId, IngestRoute>();
  for (const route of routes) if (!byType.has(route.der_type)) byType.set(route.der_type, route);
  for (const spelling of derTypeSpellings) {
    const route = byType.get(derTypeOf(spelling)!);
    if (route && !ders.has(spelling)) ders.set(spelling, route);
  }
  return ders;
}
