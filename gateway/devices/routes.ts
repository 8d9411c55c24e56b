import { connectionTypeNames, connectionTypes } from '#contract/gateway/connections.ts';
import * as data from '#contract/gateway/data.ts';
import * as contract from '#contract/gateway/devices.ts';
import type { Form } from '#contract/gateway/form.ts';
import { derKinds } from '#contract/gateway/reading.ts';
import { Problem } from '#contract/problem.ts';
import { Answer } from '#lib/http/mount.ts';
import type { LocalMount } from '../access/door.ts';
import type { ProfileInfo } from '../profiles/profile.ts';
import { parametersOf } from './connection.ts';
import { changeDers, ratedValues } from './der-entries.ts';
import type { Detect } from './detect.ts';
import type { Devices } from './devices.ts';

export type DeviceRoutesDeps = { devices: Devices; profiles: readonly ProfileInfo[]; detect: Detect };

export function deviceRoutes(mount: LocalMount, { devices, profiles, detect }: DeviceRoutesDeps): void {
  mount(contract.listSupported, ({ form }) => listByCategory(profiles, form));
  mount(contract.listConnectionTypes, () => ({ connection_types: shownConnectionTypes }));

  mount(contract.listDevices, () => {
    const entries = devices.list().map((device) => device.entry());
    return { count: entries.length, devices: entries };
  });
  mount(contract.addDevice, async ({ body }) => {
    const { sn, ders } = await devices.add(body);
    return { message: 'Device added.', sn, ders };
  });
  mount(contract.getDevice, ({ params }) => {
    refuseOtherPath(params.sn);
    devices.find(params.sn);
    throw new Problem('not_implemented', 'See GET /api/devices and GET /api/devices/{sn}/data/json.');
  });
  mount(contract.removeDevice, async ({ params }) => {
    refuseOtherPath(params.sn);
    await devices.remove(params.sn);
    return { message: 'Device removed.' };
  });
  mount(contract.removeDevices, async () => {
    await devices.removeAll();
    return { message: 'All devices removed.' };
  });
  mount(contract.detectDevice, ({ body }) => detect.at(body));

  mount(contract.setDerFlags, ({ params, body }) => change(params.sn, body.ders));
  mount(contract.setDers, ({ params, body }) => change(params.sn, body.ders));
  mount(contract.getDers, ({ params }) => ({ sn: params.sn, ders: devices.find(params.sn).ders }));

  async function change(sn: string, changes: readonly contract.DerChange[]) {
    await devices.find(sn).changeDers((ders) => changeDers(ders, changes));
    return { message: 'DERs updated.', sn };
  }

  mount(data.getData, ({ params, form }) => {
    const device = devices.find(params.sn);
    const snapshot = device.snapshot(form);
    return snapshot ? withRatings(snapshot, device.ders) : noData;
  });
  mount(data.getRawData, ({ params }) => {
    const device = devices.find(params.sn);
    const raw = device.raw();
    return raw ? { format: device.kept.connection.type, data: raw } : noData;
  });
  mount(data.getDebugData, ({ params }) => devices.find(params.sn).debug());
}

const otherPaths = new Map([
  ['supported', 'GET'],
  ['types', 'GET'],
  ['detect', 'POST'],
]);

/** To the router, another method on one of these paths is a request for a device of that name. */
function refuseOtherPath(sn: string): void {
  const method = otherPaths.get(sn);
  if (method) throw new Problem('method_not_allowed', `/api/devices/${sn} answers to ${method}.`);
}

/** Adds the ratings to the readings, as in those that are sent to the platform. */
function withRatings(snapshot: data.Snapshot, ders: readonly contract.DerEntry[]): data.Snapshot {
  const rated = derKinds.flatMap((kind) => {
    const reading = snapshot[kind];
    return reading ? [[kind, { ...ratedValues(ders, kind), ...reading }]] : [];
  });
  return { ...snapshot, ...Object.fromEntries(rated) };
}

const noData = new Answer(204, undefined);

const shownConnectionTypes = connectionTypeNames.map((type) => ({
  type,
  description: connectionTypes[type].description,
  parameters: parametersOf(type).map(({ name, type, required, default: fallback, description }) => ({
    name,
    type,
    required,
    ...(fallback !== undefined && { default: fallback }),
    ...(description && { description }),
  })),
}));

/** Returns the profiles by category, with the category names of the form. */
function listByCategory(profiles: readonly ProfileInfo[], form: Form) {
  const shown = (isWanted: (profile: ProfileInfo) => boolean) =>
    profiles.filter(isWanted).map(({ display_name, profile, connection_types, device_type }) => ({
      display_name,
      profile,
      connection_types: [...connection_types],
      device_type,
    }));
  const inverters = shown(({ device_type, category }) => {
    return device_type === 'inverter' && (form === 'earlier' || category !== 'battery');
  });
  const meters = shown(({ device_type }) => device_type === 'energy_meter');
  const chargers = shown(({ device_type }) => device_type === 'v2x_charger');
  if (form === 'earlier') return { count: profiles.length, inverters, meters, ev_chargers: chargers };
  const batteries = shown(({ category }) => category === 'battery');
  return { count: profiles.length, inverters, energy_meters: meters, batteries, v2x_chargers: chargers };
}
