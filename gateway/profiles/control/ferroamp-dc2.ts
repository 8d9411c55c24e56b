import { parseObject, valueAt } from '../payload.ts';
import {
  type ControlMessage,
  type Facts,
  getPositiveFact,
  type MessageContext,
  type MqttControl,
} from './control-profile.ts';

const [max_W, max_A] = [20_000, 50];

const request = ({ unixS }: MessageContext, what: 'controller' | 'power', value: string | number): ControlMessage => ({
  topic: `dc2/ui/control/${what}`,
  payload: JSON.stringify({ timestamp: unixS, value }),
});

/** Clamped, because the voltage may have dropped since the power was checked. */
const percentOf = (W: number, facts: Facts): number =>
  Math.max(-100, Math.min(100, Math.round((W / getPositiveFact(facts, 'charge_W')) * 1000) / 10));

// The setpoint is a percentage of the maximum power at the present voltage of the car. The charger sends no reply.
export const ferroampDc2: MqttControl = {
  profile: 'ferroamp_dc2',
  confidence: 'medium',
  refreshMs: 20_000,
  revertsAfterMs: 60_000,
  subscribe: ['dc2/pecc', 'dc2/v2x/pecc'],
  learn({ payload }) {
    const volts = Number(valueAt(parseObject(payload), 'PECCStatus2', 'measuredVoltage'));
    if (!(volts > 0)) return undefined;
    const hardware_W = Math.min(max_W, volts * max_A);
    return { charge_W: hardware_W, discharge_W: hardware_W };
  },
  requiredFacts: ['charge_W'], // unknown without a car
  battery: {
    set: ({ W }, facts, context) => [
      request(context, 'controller', 'MQTT'),
      request(context, 'power', percentOf(W, facts)),
    ],
    release: (_, context) => [request(context, 'power', 0)],
  },
};
