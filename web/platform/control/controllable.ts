import type { DeviceListing } from '#contract/cloud/devices.ts';
import type { CommandAction, CommandedType } from '#contract/command.ts';
import type { DeviceTypeId } from '#contract/der.ts';

const usualMostW = 5000;
const coarseW = 100;

type Reach = { mostW: number; isKnown: boolean };

/** How far the slider goes: what the device can do where it tells, else as far as most homes need. */
export function reachOf(ratedW: number | undefined): Reach {
  return ratedW !== undefined && ratedW > 0 ? { mostW: ratedW, isKnown: true } : { mostW: usualMostW, isKnown: false };
}

/** What was typed, when the device turns out to do at most so much. */
export const withinReach = (typed: string, { mostW, isKnown }: Reach): string =>
  isKnown && Number(typed) > mostW ? String(mostW) : typed;

/** A power to begin with: a third of the way, in round figures. */
export const firstPower = (mostW: number): number =>
  Math.min(mostW, Math.max(coarseW, Math.round(mostW / 3 / coarseW) * coarseW));

/** Something at the site that takes commands, and what can be asked of it. */
export type Controllable = {
  id: string;
  type: CommandedType;
  device: DeviceListing;
  ways: readonly CommandAction[];
};

const waysOf: Record<CommandedType, (device: DeviceTypeId) => readonly CommandAction[]> = {
  battery: () => ['charge', 'discharge', 'idle'],
  ev_charger_port: (device) => (device === 'v2x_charger' ? ['charge', 'discharge', 'idle'] : ['charge', 'idle']),
  solar: () => ['curtail'],
};

const order: readonly CommandedType[] = ['battery', 'ev_charger_port', 'solar'];

export function controllablesOf(devices: readonly DeviceListing[]): Controllable[] {
  const here = devices.filter(({ state }) => state !== 'orphaned');
  return order.flatMap((type) =>
    here.flatMap((device) =>
      device.ders
        .filter((der) => der.type === type)
        .map(({ id }) => ({ id, type, device, ways: waysOf[type](device.type) })),
    ),
  );
}
