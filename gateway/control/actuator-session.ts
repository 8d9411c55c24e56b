import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { DeviceAddress } from '../devices/resolve-address.ts';
import type { ModbusBuses } from '../links/modbus/buses.ts';
import type { Facts } from '../profiles/control/control-profile.ts';
import type { ControlProfile } from '../profiles/control/index.ts';
import type { Actuator } from './actuator.ts';
import { createModbusActuator } from './modbus-actuator.ts';

export type OpenActuator = (control: ControlProfile, address: DeviceAddress) => Promise<Actuator>;

/** Opens actuators over Modbus and MQTT. A Modbus bus that is already in use is shared. */
export const createOpenActuator =
  (buses: ModbusBuses, clock: Clock): OpenActuator =>
  async (control, address) => {
    if (address.kind === 'mqtt') {
      if (!('subscribe' in control)) throw new Error(`${control.profile} is not controlled over MQTT.`);
      const { openMqttActuator } = await import('./mqtt-actuator.ts'); // most gateways have no such device
      return openMqttActuator(control, address, clock);
    }
    if ('subscribe' in control) throw new Error(`${control.profile} is not controlled over Modbus.`);
    const { endpoint, unitId, connectDelayMs } = address;
    const lease = buses.acquire(endpoint, unitId, { connectDelayMs });
    return createModbusActuator(control, lease.unit, lease.release);
  };

export type ActuatorSessionDeps = { openActuator: OpenActuator; log: Logger };

/** Address of a device, and the facts that a person has configured for it. */
type Target = { address: DeviceAddress; configured: Facts };

const openIdleMs = 30_000; // a caller that asked for the limits may send a command soon

/** Keeps the actuator of a device open while it is needed and for 30 s after, and caches the facts of the device. */
export class ActuatorSession {
  readonly #control: ControlProfile;
  #address: DeviceAddress;
  #configured: Facts;
  readonly #deps: ActuatorSessionDeps;
  #actuator: Promise<Actuator> | undefined;
  /** read from the device before anything was written to it */
  #learned: Promise<Facts> | undefined;
  #idling: NodeJS.Timeout | undefined;

  constructor(control: ControlProfile, { address, configured }: Target, deps: ActuatorSessionDeps) {
    this.#control = control;
    this.#address = address;
    this.#configured = configured;
    this.#deps = deps;
  }

  get address(): DeviceAddress {
    return this.#address;
  }

  update({ address, configured }: Target): void {
    this.moveTo(address);
    this.#configured = configured;
  }

  /** Closes the actuator when the address has changed. */
  moveTo(address: DeviceAddress): void {
    if (!isDeepStrictEqual(address, this.#address)) this.drop();
    this.#address = address;
  }

  async open(): Promise<Actuator> {
    this.#actuator ??= this.#deps.openActuator(this.#control, this.#address);
    try {
      return await this.#actuator;
    } catch (error) {
      this.#actuator = undefined;
      throw error;
    }
  }

  /** Returns the facts of the device, read once. Configured facts take precedence. */
  async facts(): Promise<Facts> {
    const actuator = await this.open();
    this.#learned ??= actuator.learn();
    const learned = this.#learned;
    try {
      return { ...(await learned), ...this.#configured };
    } catch (error) {
      if (this.#learned === learned) this.#learned = undefined;
      throw error;
    }
  }

  /** Uses facts read before an earlier process took control: the device cannot report them while it is controlled. */
  restoreFacts(facts: Facts): void {
    this.#learned = Promise.resolve(facts);
  }

  /** Adds configured facts where the recorded ones have none. */
  completeFacts(recorded: Facts): Facts {
    return { ...this.#configured, ...recorded };
  }

  /** Makes the next command read the facts again, since the settings of the device may have changed. */
  forgetFacts(): void {
    this.#learned = undefined;
  }

  closeLater(isNeeded: () => boolean): void {
    clearTimeout(this.#idling);
    this.#idling = setTimeout(() => {
      if (isNeeded()) return;
      this.drop();
      this.forgetFacts();
    }, openIdleMs).unref();
  }

  /** Closes the actuator. The next call that needs one opens another. */
  drop(): void {
    const actuator = this.#actuator;
    this.#actuator = undefined;
    actuator
      ?.then((opened) => opened.close())
      .catch((error) => this.#deps.log.warn({ err: error }, 'failed to close the connection of an actuator'));
  }

  close(): void {
    clearTimeout(this.#idling);
    this.drop();
  }
}
