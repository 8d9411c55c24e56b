import type { DropReason } from '#contract/cloud/gateways.ts';
import { derTypeOf, derTypeSpellings } from '#contract/der.ts';
import { topicId } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import type { Store } from '../store/store.ts';
import { type IngestRoute, listIngestRoutes } from '../store/telemetry-registry.ts';

/** Where the telemetry of a topic belongs, or why it belongs nowhere. */
export type FoundRoute = IngestRoute | Extract<DropReason, 'not_provisioned' | 'ambiguous_der'>;

type Device = { ders: Map<string, IngestRoute | 'ambiguous_der'>; until: number };

const unknownMs = 10_000; // how long "not provisioned" is believed without asking again
const knownMs = 60_000; // and how long the rest, in case another process changed it

// A gateway may send any device id: those that are not provisioned have a small share, apart from the routes.
const maxRoutesPerGateway = 10_000;
const maxUnknownPerGateway = 32;

export type Routing = {
  /** Where the telemetry of this DER of this gateway belongs. */
  find(serial: string, device: string, der: string): FoundRoute | Promise<FoundRoute>;
  /** Forgets the routes of a gateway whose registry entries changed, or all routes. */
  forget(serial?: string): void;
};

/** Remembers which DER each topic means, so that a message costs a look into a map. */
export function createRouting(store: Store, clock: Clock, maxInTotal = 200_000): Routing {
  const routeShares = { maxPerGateway: maxRoutesPerGateway, maxInTotal };
  const devices = new PerGatewayMap<Device>(routeShares);
  const unknown = new PerGatewayMap<Device>({ maxPerGateway: maxUnknownPerGateway, maxInTotal });
  const asking = new PerGatewayMap<Promise<Device>>(routeShares);

  /** Messages that wait for the same answer go on together, in the order they came. */
  function ask(serial: string, device: string): Promise<Device> {
    const underWay = asking.get(serial, device);
    if (underWay) return underWay;
    const asked = look(serial, device);
    asking.set(serial, device, asked);
    const settle = (found?: Device): void => {
      if (asking.get(serial, device) !== asked) return; // forgotten meanwhile, and perhaps asked again
      asking.delete(serial, device);
      if (found) (found.ders.size > 0 ? devices : unknown).set(serial, device, found);
    };
    asked.then(settle, () => settle());
    return asked;
  }

  async function look(serial: string, device: string): Promise<Device> {
    const routes = await listIngestRoutes(store.db, serial, device);
    return { ders: byEverySpelling(routes), until: clock.now() + (routes.length > 0 ? knownMs : unknownMs) };
  }

  return {
    find(serial, device, der) {
      const known = devices.get(serial, device) ?? unknown.get(serial, device);
      if (known && known.until > clock.now()) return derOf(known, der);
      return ask(serial, device).then((found) => derOf(found, der));
    },

    forget(serial) {
      // A lookup that is under way may return the state before the change.
      for (const known of [devices, unknown, asking]) {
        known.forget(serial);
      }
    },
  };
}

const derOf = ({ ders }: Device, der: string): FoundRoute =>
  ders.get(der) ?? ders.get(topicId(der)) ?? 'not_provisioned';

/** Maps the name of each DER, as topics spell it, and each type that no DER is named after. */
function byEverySpelling(routes: readonly IngestRoute[]): Device['ders'] {
  const ders: Device['ders'] = new Map(routes.map((route) => [topicId(route.der_name), route]));
  const byType = Map.groupBy(routes, ({ der_type }) => der_type);
  for (const spelling of derTypeSpellings) {
    const [route, other] = byType.get(derTypeOf(spelling)!) ?? [];
    if (route && !ders.has(spelling)) ders.set(spelling, other ? 'ambiguous_der' : route);
  }
  return ders;
}

type GatewayShares = { maxPerGateway: number; maxInTotal: number };

/**
 * Holds data of devices by gateway. Gateways choose device ids, so each has a share: beyond it, its own oldest entry is
 * evicted. Beyond the total, all entries of the gateway that was added first are evicted.
 */
export class PerGatewayMap<Known> {
  readonly #gateways = new Map<string, Map<string, Known>>();
  readonly #shares: GatewayShares;
  #size = 0;

  constructor(shares: GatewayShares) {
    this.#shares = shares;
  }

  get(serial: string, device: string): Known | undefined {
    return this.#gateways.get(serial)?.get(device);
  }

  set(serial: string, device: string, known: Known): void {
    const devices = this.#gateways.get(serial) ?? new Map<string, Known>();
    if (!devices.has(device)) {
      const { maxPerGateway, maxInTotal } = this.#shares;
      const [oldest] = this.#size < maxInTotal ? [] : this.#gateways.keys();
      if (devices.size >= maxPerGateway || oldest === serial) this.delete(serial, devices.keys().next().value!);
      else if (oldest !== undefined) this.forget(oldest);
      this.#size++;
    }
    this.#gateways.set(serial, devices.set(device, known));
  }

  delete(serial: string, device: string): void {
    const devices = this.#gateways.get(serial);
    if (!devices?.delete(device)) return;
    this.#size--;
    if (devices.size === 0) this.#gateways.delete(serial);
  }

  /** Forgets all devices of one gateway, or everything. */
  forget(serial?: string): void {
    if (serial === undefined) {
      this.#gateways.clear();
      this.#size = 0;
    } else {
      this.#size -= this.#gateways.get(serial)?.size ?? 0;
      this.#gateways.delete(serial);
    }
  }
}
