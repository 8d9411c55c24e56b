import { type Facts, needPositive } from './control-profile.ts';
import type { Moment, MqttControl, Step } from './mqtt-control.ts';
import { valueAt } from './payload.ts';

const [most_W, most_A] = [20_000, 50];

const ask = ({ unixS }: Moment, what: 'controller' | 'power', value: string | number): Step => ({
  topic: `dc2/ui/control/${what}`,
  payload: JSON.stringify({ timestamp: unixS, value }),
});

/** The voltage may have fallen since the power was found to be possible. */
const percentOf = (W: number, facts: Facts): number =>
  Math.max(-100, Math.min(100, Math.round((W / needPositive(facts, 'charge_W')) * 1000) / 10));

// The set point is in percent of what the hardware can do at the voltage of the car. It answers nothing.
export const ferroampDc2: MqttControl = {
  profile: 'ferroamp_dc2',
  confidence: 'medium',
  refreshMs: 20_000,
  revertsAfterMs: 60_000,
  subscribe: ['dc2/pecc', 'dc2/v2x/pecc'],
  learn({ payload }) {
    const volts = Number(valueAt(payload, 'PECCStatus2', 'measuredVoltage'));
    if (!(volts > 0)) return undefined;
    const hardware_W = Math.min(most_W, volts * most_A);
    return { charge_W: hardware_W, discharge_W: hardware_W };
  },
  essential: ['charge_W'], // without a car there is no voltage
  battery: {
    set: ({ W }, facts, moment) => [ask(moment, 'controller', 'MQTT'), ask(moment, 'power', percentOf(W, facts))],
    release: (_, moment) => [ask(moment, 'power', 0)],
  },
};
