export type GatewayShares = { maxPerGateway: number; maxInTotal: number };

/**
 * Holds data of devices by gateway. Gateways choose device ids, so each has a share: beyond it, its own oldest entry is
 * evicted. Beyond the total, all entries of the gateway that was added first are evicted.
 */
export class ByGateway<Known> {
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
