import { parseNumber, parseText } from '../payload.ts';
import type { ControlMessage, Facts, MqttControl } from './control-profile.ts';

const chargerTopic = /^device\/evCharger\/([^/]+)\/(\w+)$/;
const limits: Record<string, string> = { chargePowerMax: 'charge_W', dischargePowerMax: 'discharge_W' };
const toleranceW = 10;

const targetPower = (W: number): ControlMessage => ({
  topic: 'device/ess/0/targetPower',
  payload: String(Math.round(W)),
  answer({ topic, payload, isRetained }) {
    if (isRetained || chargerTopic.exec(topic)?.[2] !== 'targetPower') return undefined;
    const target = parseNumber(parseText(payload));
    return target !== undefined && Math.abs(target - W) <= toleranceW ? true : undefined; // a matching one may follow
  },
});

// Two drivers use two topics with opposite signs. This is the one where charging is positive; it is not verified on hardware.
export const ambibox: MqttControl = {
  profile: 'ambibox',
  confidence: 'medium',
  refreshMs: 20_000,
  revertsAfterMs: 60_000,
  subscribe: ['device/evCharger/#'],
  learn({ topic, payload }): Facts | undefined {
    const fact = limits[chargerTopic.exec(topic)?.[2] ?? ''];
    const W = parseNumber(parseText(payload));
    return fact === undefined || W === undefined ? undefined : { [fact]: W };
  },
  acquire({ topic }) {
    const id = chargerTopic.exec(topic)?.[1];
    return id === undefined ? undefined : [{ topic: `device/evCharger/${id}/wakeUp`, payload: 'true' }];
  },
  requiredFacts: ['charge_W', 'discharge_W'],
  battery: { set: ({ W }) => [targetPower(W)], release: () => [targetPower(0)] },
};
