import type { DropReason } from '#contract/cloud/gateways.ts';
import { derTypeOf, derTypeSpellings } from '#contract/der.ts';
import { topicId } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import type { Store } from '../store/store.ts';
import { type IngestRoute, listIngestRoutes } from '../store/telemetry-registry.ts';

/** The route of a topic, or the reason for dropping its readings. */
export type FoundRoute = IngestRoute | Extract<DropReason, 'not_provisioned' | 'ambiguous_der'>;

type Device = { ders: Map<string, IngestRoute | 'ambiguous_der'>; until: number };

const unknownMs = 10_000; // until an unknown device is looked up again
const knownMs = 60_000; // and a known one, in case another process changed it

// Gateways may send any device id: unknown ones have a small share of their own.
const maxRoutesPerGateway = 10_000;
const maxUnknownPerGateway = 32;

export type Routing = ReturnType<typeof createRouting>;

/** Finds the DER of each topic. Routes are cached, so that most messages need no query. */
export function createRouting(store: Store, clock: Clock, maxInTotal = 200_000) {
  const routeShares = { maxPerGateway: maxRoutesPerGateway, maxInTotal };
  const devices = new PerGatewayMap<Device>(routeShares);
  const unknown = new PerGatewayMap<Device>({ maxPerGateway: maxUnknownPerGateway, maxInTotal });
  const lookups = new PerGatewayMap<Promise<Device>>(routeShares);

  /** Looks a device up. Messages that wait for the same lookup continue together, in order. */
  function lookUp(serial: string, device: string): Promise<Device> {
    const begun = lookups.get(serial, device);
    if (begun) return begun;
    const lookup = read(serial, device);
    lookups.set(serial, device, lookup);
    const settle = (found?: Device): void => {
      if (lookups.get(serial, device) !== lookup) return; // forgotten meanwhile, and perhaps begun again
      lookups.delete(serial, device);
      if (found) (found.ders.size > 0 ? devices : unknown).set(serial, device, found);
    };
    lookup.then(settle, () => settle());
    return lookup;
  }

  async function read(serial: string, device: string): Promise<Device> {
    const routes = await listIngestRoutes(store.db, serial, device);
    return { ders: byEverySpelling(routes), until: clock.now() + (routes.length > 0 ? knownMs : unknownMs) };
  }

  return {
    find(serial: string, device: string, der: string): FoundRoute | Promise<FoundRoute> {
      const known = devices.get(serial, device) ?? unknown.get(serial, device);
      if (known && known.until > clock.now()) return derOf(known, der);
      return lookUp(serial, device).then((found) => derOf(found, der));
    },

    /** Forgets the routes of a gateway whose registry entries changed, or all routes. */
    forget(serial?: string): void {
      // A lookup in progress may return the state before the change.
      for (const known of [devices, unknown, lookups]) known.forget(serial);
    },
  };
}

const derOf = ({ ders }: Device, der: string): FoundRoute =>
  ders.get(der) ?? ders.get(topicId(der)) ?? 'not_provisioned';

/** Maps the name of each DER, as topics spell it, and each type that no DER is named after. */
function byEverySpelling(routes: readonly IngestRoute[]): Device['ders'] {
  const ders: Device['ders'] = new Map(routes.map((route) => [topicId(route.der_name), route]));
  for (const spelling of derTypeSpellings) {
    const type = derTypeOf(spelling);
    const [route, other] = routes.filter(({ der_type }) => der_type === type);
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
      const [oldestDevice] = devices.size >= maxPerGateway || oldest === serial ? devices.keys() : [];
      if (oldestDevice !== undefined) this.delete(serial, oldestDevice);
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
