import type { SiteReading } from '#contract/client/site-stream.ts';
import type { Command } from '#contract/cloud/commands.ts';
import type { DeviceListing } from '#contract/cloud/devices.ts';
import type { Order } from '#contract/cloud/orders.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import type { CommandAction, CommandedType } from '#contract/command.ts';
import type { DeviceTypeId } from '#contract/der.ts';

const defaultMaxW = 5000;
const roundToW = 100;

type PowerRange = { maxW: number; isKnown: boolean };

/** Returns the slider's maximum: that of the device, or a default if it is unknown. */
export const powerRangeOf = (maxW: number | undefined): PowerRange =>
  maxW === undefined ? { maxW: defaultMaxW, isKnown: false } : { maxW, isKnown: true };

/** Limits the typed power to the maximum, once it is known. */
export const clampPower = (typed: string, { maxW, isKnown }: PowerRange): string =>
  isKnown && Number(typed) > maxW ? String(maxW) : typed;

/** Returns the initial power: a third of the maximum, rounded. */
export const initialPower = (maxW: number): number =>
  Math.min(maxW, Math.max(roundToW, Math.round(maxW / 3 / roundToW) * roundToW));

type Ways = readonly [CommandAction, ...CommandAction[]];

export type Controllable = {
  id: string;
  type: CommandedType;
  device: DeviceListing;
  ways: Ways;
};

/** The state of the page, which its cards share. */
export type SiteControl = {
  site: SiteDetails;
  parts: readonly Controllable[];
  /** undefined until the role is loaded */
  mayControl: boolean | undefined;
  readings: ReadonlyMap<string, SiteReading>;
  /** newest first */
  commands: readonly Command[];
  /** the newest order of each DER */
  orders: readonly Order[];
  /** when the release of a command was requested, by its ID */
  releaseRequests: ReadonlyMap<string, number>;
  addCommand(command: Command): void;
  addOrder(order: Order): void;
  noteRelease(commands: readonly Command[]): void;
};

const waysOf: Record<CommandedType, (device: DeviceTypeId) => Ways> = {
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
