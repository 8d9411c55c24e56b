import type { Facts } from './control-profile.ts';
import type { MqttControl, Step } from './mqtt-control.ts';
import { numberIn } from './payload.ts';

const told = /^device\/evCharger\/([^/]+)\/(\w+)$/;
const limits: Record<string, string> = { chargePowerMax: 'charge_W', dischargePowerMax: 'discharge_W' };
const nearW = 10;

const aim = (W: number): Step => ({
  topic: 'device/ess/0/targetPower',
  payload: String(Math.round(W)),
  answer({ topic, payload, isRetained }) {
    if (isRetained || told.exec(topic)?.[2] !== 'targetPower') return undefined;
    const target = numberIn(payload);
    return target !== undefined && Math.abs(target - W) <= nearW ? true : undefined; // another one may be on its way
  },
});

// Two drivers use two topics with opposite signs. This is the one where charging is positive; nobody has measured it.
export const ambibox: MqttControl = {
  profile: 'ambibox',
  confidence: 'medium',
  refreshMs: 20_000,
  revertsAfterMs: 60_000,
  subscribe: ['device/evCharger/#'],
  learn({ topic, payload }): Facts | undefined {
    const fact = limits[told.exec(topic)?.[2] ?? ''];
    const W = numberIn(payload);
    return fact === undefined || W === undefined ? undefined : { [fact]: W };
  },
  take({ topic }) {
    const id = told.exec(topic)?.[1];
    return id === undefined ? undefined : [{ topic: `device/evCharger/${id}/wakeUp`, payload: 'true' }];
  },
  essential: ['charge_W', 'discharge_W'],
  battery: { set: ({ W }) => [aim(W)], release: () => [aim(0)] },
};
