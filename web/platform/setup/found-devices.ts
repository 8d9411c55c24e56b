import type { LocalDeviceType } from '#contract/gateway/connections.ts';
import type { FoundDevice, ManagedDevice } from '#contract/manage.ts';

/** A device that can be added: one that the gateway reads already, or one that it has found. */
export type Candidate = {
  key: string;
  /** the product, as the gateway calls it */
  product: string;
  type: LocalDeviceType;
  isChosen: boolean;
  /** measures one circuit, not the grid connection */
  isSubMeter: boolean;
  found?: FoundDevice;
  managed?: ManagedDevice;
};

/** Lists what can be added: without devices that the platform has, and each only once. */
export function candidatesOf(
  managed: readonly ManagedDevice[],
  found: readonly FoundDevice[],
  known: ReadonlySet<string>,
): Candidate[] {
  const read = new Set(managed.map(({ sn }) => sn));
  const all = [
    ...managed
      .filter(({ sn }) => !known.has(sn))
      .map((each) => ({
        key: each.sn,
        product: each.name,
        type: each.device_type,
        profile: each.profile,
        isChosen: true,
        managed: each,
      })),
    ...found
      .filter(({ sn, serial = '' }) => sn === undefined && !read.has(serial) && !known.has(serial))
      .map((each) => ({
        key: JSON.stringify(each.connection),
        product: each.name,
        type: each.device_type,
        profile: each.connection.profile,
        isChosen: each.connection.type !== 'p1_uart', // a serial line on which nothing has been heard yet
        found: each,
      })),
  ];
  const meters = all.filter(({ type }) => type === 'energy_meter');
  // The meter of the grid company measures the connection; any other beside it measures a part.
  const main = meters.find(({ profile }) => profile === 'p1_meter') ?? meters[0];
  return all.map(({ profile: _, ...each }) => ({
    ...each,
    isSubMeter: each.type === 'energy_meter' && each.key !== main?.key,
  }));
}

/** Returns the parts of a device to send. The meter of an inverter would count the same energy as a meter of its own. */
export const partsToSend = <Part extends { type: string }>(
  type: LocalDeviceType,
  parts: readonly Part[],
  hasGridMeter: boolean,
): Part[] => parts.filter((part) => !(hasGridMeter && type !== 'energy_meter' && part.type === 'meter'));

/** Returns names that differ: Inverter, Inverter 2. */
export function distinctNames(names: readonly string[], taken: readonly string[]): string[] {
  const used = new Set(taken);
  return names.map((name) => {
    let next = name;
    for (let n = 2; used.has(next); n++) next = `${name} ${n}`;
    used.add(next);
    return next;
  });
}
