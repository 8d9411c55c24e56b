import type { DeviceListing } from '#contract/cloud/devices.ts';
import type { CommandedType, Way } from '#contract/command.ts';
import type { DeviceTypeId } from '#contract/der.ts';

/** Something at the site that takes commands, and what can be asked of it. */
export type Controllable = {
  id: string;
  type: CommandedType;
  device: DeviceListing;
  ways: readonly Way[];
};

const waysOf: Record<CommandedType, (device: DeviceTypeId) => readonly Way[]> = {
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
