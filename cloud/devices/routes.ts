import * as contract from '#contract/cloud/devices.ts';
import { Answer, CachedAnswer } from '#lib/http/mount.ts';
import { newId } from '#lib/id.ts';
import type { CloudMount } from '../access/door.ts';
import { releaseDevice, type SendRelease } from '../commands/release.ts';
import { audit } from '../organizations/audit.ts';
import { updatingCellCounts } from '../store/cells.ts';
import * as store from '../store/devices.ts';
import { replan } from '../store/plans.ts';
import { cached } from '../store/query-cache.ts';
import { derAnswer, derOf, deviceOf, type LatestOf } from './device.ts';
import { addDers, checkAllowed, checkName, derTypeFrom, provision } from './provision.ts';

export type DeviceDeps = { latestOf: LatestOf; sendRelease: SendRelease };

export function deviceRoutes(mount: CloudMount, { latestOf, sendRelease }: DeviceDeps): void {
  mount(contract.provisionDevice, async (context) => {
    const { device, isNew } = await provision(context.body, context);
    return new Answer(isNew ? 201 : 200, { ...(await deviceOf(context.db, device)), created: isNew });
  });

  mount(contract.getDevice, ({ params, db }) =>
    cached(db, `device ${params.device_id}`, async () => {
      const device = await store.getDevice(db, params.device_id);
      return new CachedAnswer(200, await deviceOf(db, device));
    }),
  );

  mount(contract.updateDevice, async (context) => {
    const { params, body, db } = context;
    const device = { ...(await store.getDevice(db, params.device_id)), name: body.name };
    await store.updateDevice(db, device);
    await audit(context, device.org_id, 'device.renamed', device.id, { name: body.name });
    return deviceOf(db, device);
  });

  mount(contract.deleteDevice, async (context) => {
    const { params, db, now } = context;
    const device = await store.getDevice(db, params.device_id);
    await releaseDevice(device.id, context, sendRelease);
    await updatingCellCounts(db, [device.site_id], () => store.deleteDevice(db, device.id, now));
    await replan(db, device.site_id, now);
    await context.announce({ what: 'devices', serial: device.gateway_serial });
    const { name, hardware_id } = device;
    await audit(context, device.org_id, 'device.deleted', device.id, { name, hardware_id });
  });

  mount(contract.getDer, ({ params, db }) => derAnswer(db, params.der_id, latestOf));

  mount(contract.updateDer, async (context) => {
    const { params, body, db } = context;
    const der = await store.getDer(db, params.der_id);
    const device = await store.getDevice(db, der.device_id);
    const others = (await store.listDersOf(db, device.id)).filter(({ id }) => id !== der.id);
    checkName(body.name, others);
    await store.renameDer(db, der.id, body.name);
    await context.announce({ what: 'devices', serial: device.gateway_serial });
    await audit(context, device.org_id, 'der.renamed', der.id, { from: der.name, to: body.name });
    return derOf(db, der.id, latestOf);
  });

  mount(contract.deleteDer, async (context) => {
    const { params, db, now } = context;
    const der = await store.getDer(db, params.der_id);
    const device = await store.getDevice(db, der.device_id);
    await releaseDevice(device.id, context, sendRelease, der.id);
    await updatingCellCounts(db, [device.site_id], () => store.deleteDer(db, der, now));
    await replan(db, device.site_id, now);
    await context.announce({ what: 'devices', serial: device.gateway_serial });
    await audit(context, device.org_id, 'der.deleted', der.id, { device_id: device.id, name: der.name });
  });

  mount(contract.addDer, async (context) => {
    const { params, body, db, now } = context;
    const device = await store.getDevice(db, params.device_id);
    const type = derTypeFrom(body.type, 'body.type');
    checkAllowed(device.type, type, 'body.type');
    checkName(body.name, await store.listDersOf(db, device.id));
    const id = newId('der', now);
    const ders = [{ id, name: body.name, type }];
    await updatingCellCounts(db, [device.site_id], () => addDers(context, device.id, ders));
    await replan(db, device.site_id, now);
    await context.announce({ what: 'devices', serial: device.gateway_serial });
    await audit(context, device.org_id, 'der.added', id, { device_id: device.id, name: body.name, type });
    return derOf(db, id, latestOf);
  });
}
