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

type Target = { address: DeviceAddress; configured: Facts };

const openIdleMs = 30_000; // a caller that asked for the limits may send a command soon

/** Keeps the actuator of a device open while it is needed and for 30 s after, and caches the facts of the device. */
export function createActuatorSession(
  control: ControlProfile,
  { address, configured }: Target,
  { openActuator, log }: ActuatorSessionDeps,
) {
  let actuator: Promise<Actuator> | undefined;
  let learned: Promise<Facts> | undefined; // from before anything was written to the device
  let idling: NodeJS.Timeout | undefined;

  async function open(): Promise<Actuator> {
    actuator ??= openActuator(control, address);
    try {
      return await actuator;
    } catch (error) {
      actuator = undefined;
      throw error;
    }
  }

  /** Closes the actuator. The next call that needs one opens another. */
  function drop(): void {
    actuator
      ?.then((opened) => opened.close())
      .catch((error) => log.warn({ err: error }, 'failed to close the connection of an actuator'));
    actuator = undefined;
  }

  /** Makes the next command read the facts again, since the settings of the device may have changed. */
  function forgetFacts(): void {
    learned = undefined;
  }

  return {
    open,
    drop,
    forgetFacts,
    address: () => address,

    /** Closes the actuator when the address has changed. */
    moveTo(target: Partial<Target> & { address: DeviceAddress }): void {
      if (!isDeepStrictEqual(address, target.address)) drop();
      ({ address, configured = configured } = target);
    },

    /** Returns the facts of the device, read once. Configured facts take precedence. */
    async facts(): Promise<Facts> {
      const opened = await open();
      learned ??= opened.learn();
      const reading = learned;
      try {
        return { ...(await reading), ...configured };
      } catch (error) {
        if (learned === reading) forgetFacts();
        throw error;
      }
    },

    /** Uses facts read before an earlier process took control: the device cannot report them while it is controlled. */
    restoreFacts(facts: Facts): void {
      learned = Promise.resolve(facts);
    },

    /** Adds configured facts where the recorded ones have none. */
    completeFacts: (recorded: Facts): Facts => ({ ...configured, ...recorded }),

    closeLater(isNeeded: () => boolean): void {
      clearTimeout(idling);
      idling = setTimeout(() => {
        if (isNeeded()) return;
        drop();
        forgetFacts();
      }, openIdleMs).unref();
    },

    close(): void {
      clearTimeout(idling);
      drop();
    },
  };
}
