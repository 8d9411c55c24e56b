import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '#contract/client.ts';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { listSiteDevices } from '#contract/cloud/sites.ts';
import type { ConnectionType } from '#contract/gateway/connections.ts';
import { addDevice, type DeviceEntry, listDevices, removeDevice, setDerFlags } from '#contract/gateway/devices.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { Problem } from '#contract/problem.ts';
import type { Player } from '#sim/roles.ts';
import type { StackDevice } from '../state-file.ts';
import { type DemoDevice, demoDevices, modelOf, place } from './house.ts';
import type { DemoOrganization, NewSite } from './owner.ts';

export const homeSite: NewSite = { name: 'Simulated home', ...place, country: 'SE', price_area: 'SE3', fuse_a: 20 };

type Players = ReadonlyMap<string, Player>;

/** Adds the devices to the gateway where they are missing or have moved, and has their DERs sent to the platform. */
export async function connectDevices(gateway: Client, players: Players, isFirst: boolean): Promise<void> {
  const { devices } = await gateway.call(listDevices);
  await Promise.all(
    demoDevices.map(async (device) => {
      const { sn } = device;
      const connection = players.get(device.player)!.connection as Connection;
      const before = devices.find((entry) => entry.sn === sn);
      const isThere = before !== undefined && isAt(before, connection);
      if (isThere && !isFirst) return;
      if (before && !isThere) await gateway.call(removeDevice, { params: { sn } });
      if (!isThere) await addPatiently(gateway, connection);
      const ders = isFirst || !before ? flagsOf(device) : before.ders; // later on it is for the owner to say
      await gateway.call(setDerFlags, {
        params: { sn },
        body: { ders: ders.map(({ type, enabled }) => ({ type, enabled })) },
      });
    }),
  );
}

const mostTries = 10;
const pauseMs = 500;

/** While a slow machine starts everything at once, a device may answer later than a gateway waits. */
async function addPatiently(gateway: Client, connection: Connection): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return void (await gateway.call(addDevice, { body: connection }));
    } catch (error) {
      const isLate = error instanceof Problem && error.code === 'device_unreachable';
      if (!isLate || tries === mostTries) throw error;
      await sleep(pauseMs);
    }
  }
}

type Connection = { type: ConnectionType } & Player['connection'];

const isAt = (entry: DeviceEntry, connection: Connection): boolean =>
  Object.entries(connection).every(([name, value]) => (entry as Record<string, unknown>)[name] === value);

const kindsOf = ({ ders }: DemoDevice): DerKind[] => Object.keys(ders) as DerKind[];

const flagsOf = (device: DemoDevice): { type: DerKind; enabled: boolean }[] =>
  kindsOf(device).map((type) => ({ type, enabled: true }));

type Home = { organization: DemoOrganization; siteId: string; gatewaySerial: string; players: Players };

/** The devices as the platform knows them. Those it does not know are provisioned, while the gateway is ours. */
export async function provisionDevices(
  { organization: { api }, siteId: site_id, gatewaySerial: gateway_serial, players }: Home,
  isOurs: boolean,
): Promise<StackDevice[]> {
  const listed = await Array.fromAsync(api.pages(listSiteDevices, { params: { site_id } }));
  const known: StackDevice[] = [];
  for (const device of demoDevices) {
    const { sn, name, deviceType: device_type } = device;
    const player = players.get(device.player)!;
    const found = listed.find(({ hardware_id, state }) => hardware_id === sn && !(isOurs && state === 'orphaned'));
    const ders = kindsOf(device).map((kind) => ({ name: kind, type: device.ders[kind]! }));
    const body = {
      gateway_serial,
      site_id,
      hardware_id: sn,
      device_type,
      name,
      manufacturer: 'Simulated',
      model: modelOf(player),
      ders,
    };
    const provisioned = found ?? (isOurs ? await api.call(provisionDevice, { body }) : undefined);
    if (provisioned) known.push({ sn, profile: player.profile, device_id: provisioned.id, ders: provisioned.ders });
  }
  return known;
}
