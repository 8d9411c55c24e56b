import type { DeviceEnergy, EnergyTotal } from '#contract/cloud/energy.ts';

/** A device; without one, the rest of the house. */
export type Row = { key: string; device?: DeviceEnergy; wh: number };

/** Lists the devices by what they used or supplied, the largest first. What no device measured is the rest of the house. */
export function rowsOf(devices: readonly DeviceEnergy[], side: 'used' | 'supplied', { load_wh }: EnergyTotal): Row[] {
  const rows: Row[] = devices.map((device, n) => {
    const { kind, in_wh, out_wh } = device;
    const [used, supplied] = kind === 'meter' ? [out_wh, in_wh] : [in_wh, out_wh]; // exported energy left the site
    return { key: device.der_id ?? String(n), device, wh: side === 'used' ? used : supplied };
  });
  const inHouse = rows.filter(({ device }) => device?.kind === 'load' || device?.kind === 'sub_meter');
  const rest = side === 'used' ? load_wh - inHouse.reduce((sum, { wh }) => sum + wh, 0) : 0;
  return [...rows, { key: 'rest', wh: rest }].filter(({ wh }) => wh > 0).sort((one, other) => other.wh - one.wh);
}
