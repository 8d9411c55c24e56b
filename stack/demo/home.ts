import type { Client } from '#contract/client.ts';
import { provisionDevice } from '#contract/cloud/devices.ts';
import type { GoalChanges } from '#contract/cloud/plans.ts';
import { listSiteDevices } from '#contract/cloud/sites.ts';
import { type ConnectionType, connectionTypeNames } from '#contract/gateway/connections.ts';
import { confirmControl } from '#contract/gateway/control.ts';
import { addDevice, type DeviceEntry, listDevices, removeDevice, setDerFlags } from '#contract/gateway/devices.ts';
import type { ContractPeriod } from '#contract/price/contract.ts';
import { Problem } from '#contract/problem.ts';
import { retry } from '#lib/retry.ts';
import type { StreetDevice } from '#sim/endpoints.ts';
import { defaultSizes } from '#sim/house.ts';
import type { StackDevice } from '../state-file.ts';
import { demoDevices, getPlayer, modelOf, type Players, place } from './house.ts';
import type { DemoOrganization, NewSite } from './owner.ts';

export const homeSite: NewSite = {
  name: 'Simulated home',
  ...place,
  country: 'SE',
  price_area: 'SE3',
  tariff_id: '7ce52af7-8a6f-5576-9b42-a2a2c152bf5e', // Effekttariff 16–25 A of Sollentuna Elnät
  fuse_a: 20,
};

/** The contract of the home, like those of Swedish suppliers; the tax reduction for sold electricity ended with 2025. */
export const homeContract: ContractPeriod[] = [
  {
    valid_from: '2025-01-01',
    pricing: 'spot',
    supplier: 'Simulated Energy',
    markup_per_kwh: 0.06,
    monthly_fee: 39.2,
    export: { pricing: 'spot', adjustment_per_kwh: -0.03 },
    export_grid_benefit_per_kwh: 0.05,
    tax_reduction: { per_kwh: 0.6 },
  },
  {
    valid_from: '2026-01-01',
    pricing: 'spot',
    supplier: 'Simulated Energy',
    markup_per_kwh: 0.06,
    monthly_fee: 39.2,
    export: { pricing: 'spot', adjustment_per_kwh: -0.03 },
    export_grid_benefit_per_kwh: 0.05,
  },
];

/** Returns the goals of the home: plans control its battery and its car, whose sizes the devices do not report. */
export function homeGoals(devices: readonly StackDevice[]): GoalChanges {
  const idsOf = (wanted: string): string[] =>
    devices.flatMap(({ ders }) => ders.filter(({ type }) => type === wanted).map(({ id }) => id));
  const { batteryCapacity_Wh, battery_W, carCapacity_Wh, charger_W } = defaultSizes;
  const battery = { capacity_wh: batteryCapacity_Wh, charge_w: battery_W, discharge_w: battery_W };
  const car = { capacity_wh: carCapacity_Wh, charge_w: charger_W, charge_min_w: 0 };
  const cars = idsOf('ev_charger_port');
  return {
    mode: 'control',
    storages: [
      ...idsOf('battery').map((der_id) => ({ der_id, ...battery })),
      ...cars.map((der_id) => ({ der_id, ...car })),
    ],
    cars: cars.map((der_id) => ({ der_id, target_pct: 80, by: '07:00', days: [1, 2, 3, 4, 5] })),
  };
}

/** Adds missing and moved devices to the gateway. On the first start it enables their DERs, and confirms that they obey. */
export async function connectDevices(gateway: Client, players: Players, isFirst: boolean): Promise<void> {
  const { devices } = await gateway.call(listDevices);
  await Promise.all(
    demoDevices.map(async (device) => {
      const { sn } = device;
      const connection = connectionOf(getPlayer(players, device.player));
      const before = devices.find((entry) => entry.sn === sn);
      const isThere = before !== undefined && isAt(before, connection);
      if (isThere && !isFirst) return;
      if (before && !isThere) await gateway.call(removeDevice, { params: { sn } });
      // A slow machine that starts everything at once may exceed the timeout of the gateway.
      if (!isThere) await retry(() => gateway.call(addDevice, { body: connection }), patience);
      // A device that moved keeps the choices of its owner.
      const ders = isFirst || !before ? device.ders.map(({ kind }) => ({ type: kind, enabled: true })) : before.ders;
      await gateway.call(setDerFlags, {
        params: { sn },
        body: { ders: ders.map(({ type, enabled }) => ({ type, enabled })) },
      });
    }),
  );
  if (!isFirst) return;
  const added = (await gateway.call(listDevices)).devices;
  for (const { sn, control } of added)
    if (control === 'unconfirmed') await gateway.call(confirmControl, { params: { sn }, body: {} });
}

const patience = {
  attempts: 10,
  minDelayMs: 1000,
  maxDelayMs: 1000,
  shouldRetry: (error: unknown) => error instanceof Problem && error.code === 'device_unreachable',
};

type DeviceConnection = { type: ConnectionType } & StreetDevice['connection'];

export function connectionOf({ connection }: Pick<StreetDevice, 'connection'>): DeviceConnection {
  const type = connectionTypeNames.find((known) => known === connection.type);
  if (!type) throw new Error(`A gateway has no connection of the type ${connection.type}.`);
  return { ...connection, type };
}

function isAt(entry: DeviceEntry, connection: DeviceConnection): boolean {
  const known: Record<string, unknown> = entry;
  return Object.entries(connection).every(([name, value]) => known[name] === value);
}

type Home = { organization: DemoOrganization; siteId: string; gatewaySerial: string; players: Players };

/** Returns the devices as the platform has them, and provisions missing ones while the gateway belongs to the demo. */
export async function provisionDevices(
  { organization: { api }, siteId: site_id, gatewaySerial: gateway_serial, players }: Home,
  isOurs: boolean,
): Promise<StackDevice[]> {
  const listed = await Array.fromAsync(api.pages(listSiteDevices, { params: { site_id } }));
  const known: StackDevice[] = [];
  for (const device of demoDevices) {
    const { sn, name, deviceType: device_type } = device;
    const player = getPlayer(players, device.player);
    const found = listed.find(({ hardware_id, state }) => hardware_id === sn && !(isOurs && state === 'orphaned'));
    const ders = device.ders.map(({ kind, type }) => ({ name: kind, type }));
    const kind = { device_type, name, manufacturer: 'Simulated', model: modelOf(player) };
    const body = { gateway_serial, site_id, hardware_id: sn, ...kind, ders };
    const provisioned = found ?? (isOurs ? await api.call(provisionDevice, { body }) : undefined);
    if (provisioned) known.push({ sn, profile: player.profile, device_id: provisioned.id, ders: provisioned.ders });
  }
  return known;
}
