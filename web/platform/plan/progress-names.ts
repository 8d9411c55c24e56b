import type { DeviceListing } from '#contract/cloud/devices.ts';
import { planMessages } from '#contract/gateway-plan.ts';
import { sentenceIn } from '#contract/plan-sentences.ts';

/** Replaces the serials in a message of a gateway about its plan with the names of the devices. */
export function nameDevices(message: string, devices: readonly Pick<DeviceListing, 'hardware_id' | 'name'>[]): string {
  const { sentence, values } = sentenceIn(planMessages, message) ?? {};
  if (!sentence || !values?.names) return message;
  const nameOf = (sn: string): string => devices.find(({ hardware_id }) => hardware_id === sn)?.name ?? sn;
  // A hybrid inverter is listed for its battery and for its panels.
  const names = [...new Set(values.names.split(', ').map(nameOf))].join(', ');
  return sentence.replace('{names}', () => names);
}
