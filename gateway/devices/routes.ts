import { connectionTypeNames, connectionTypes } from '#contract/gateway/connections.ts';
import * as data from '#contract/gateway/data.ts';
import * as contract from '#contract/gateway/devices.ts';
import { Problem } from '#contract/problem.ts';
import { Answer } from '#lib/http/mount.ts';
import type { LocalMount } from '../access/local-context.ts';
import type { ProfileInfo } from '../profiles/profile.ts';
import { parametersOf } from './connection.ts';
import { changeDers } from './der-entries.ts';
import type { Detect } from './detect.ts';
import type { Devices } from './devices.ts';
import { supported } from './supported.ts';

export type DeviceRoutesDeps = { devices: Devices; profiles: readonly ProfileInfo[]; detect: Detect };

export function deviceRoutes(mount: LocalMount, { devices, profiles, detect }: DeviceRoutesDeps): void {
  mount(contract.listSupported, ({ form }) => supported(profiles, form));
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
  mount(contract.detectDevice, ({ body }) => detect(body));

  mount(contract.setDerFlags, ({ params, body }) => change(params.sn, body.ders));
  mount(contract.setDers, ({ params, body }) => change(params.sn, body.ders));
  mount(contract.getDers, ({ params }) => ({ sn: params.sn, ders: devices.find(params.sn).ders }));

  async function change(sn: string, changes: readonly contract.DerChange[]) {
    await devices.find(sn).changeDers((ders) => changeDers(ders, changes));
    return { message: 'DERs updated.', sn };
  }

  mount(data.getData, ({ params, form }) => devices.find(params.sn).snapshot(form) ?? noData);
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
