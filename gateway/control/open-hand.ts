import type { Clock } from '#lib/clock.ts';
import type { ModbusBuses } from '../links/modbus/buses.ts';
import type { ControlProfile } from '../profiles/control/index.ts';
import type { Hand } from './hand.ts';
import { createModbusHand } from './modbus-hand.ts';
import type { Place } from './place.ts';

export type OpenHand = (control: ControlProfile, place: Place) => Promise<Hand>;

/** Reaches a device where it is. A Modbus bus that is in use already is shared. */
export const createOpenHand =
  (buses: ModbusBuses, clock: Clock): OpenHand =>
  async (control, place) => {
    if (place.kind === 'mqtt') {
      if (!('subscribe' in control)) throw new Error(`${control.profile} is not controlled over MQTT.`);
      const { openMqttHand } = await import('./mqtt-hand.ts'); // most gateways have no such device
      return openMqttHand(control, place, clock);
    }
    if ('subscribe' in control) throw new Error(`${control.profile} is not controlled over Modbus.`);
    const { endpoint, unitId, connectDelayMs } = place;
    const lease = buses.acquire(endpoint, unitId, { connectDelayMs });
    return createModbusHand(control, lease.unit, lease.release);
  };
