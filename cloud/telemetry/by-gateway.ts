const mostDevices = 200_000;

/** What is known of devices, by the gateway they hang on: all of one gateway is forgotten at once, however many others there are. */
export class ByGateway<Known> {
  readonly #gateways = new Map<string, Map<string, Known>>();
  #size = 0;

  get(serial: string, device: string): Known | undefined {
    return this.#gateways.get(serial)?.get(device);
  }

  /** When there are too many, the gateway that has been known for longest makes room. */
  set(serial: string, device: string, known: Known): void {
    if (this.get(serial, device) === undefined) {
      if (this.#size >= mostDevices) this.forget(this.#gateways.keys().next().value);
      this.#size++;
    }
    const devices = this.#gateways.get(serial) ?? new Map<string, Known>();
    this.#gateways.set(serial, devices.set(device, known));
  }

  delete(serial: string, device: string): void {
    const devices = this.#gateways.get(serial);
    if (!devices?.delete(device)) return;
    this.#size--;
    if (devices.size === 0) this.#gateways.delete(serial);
  }

  /** All of one gateway, or everything. */
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
