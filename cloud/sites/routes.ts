import * as contract from '#contract/cloud/sites.ts';
import { Problem } from '#contract/problem.ts';
import { CachedAnswer } from '#lib/http/mount.ts';
import { newId } from '#lib/id.ts';
import { announceAccess } from '../access/access-version.ts';
import type { CloudMount, Context } from '../access/door.ts';
import { asItIs, idOf, isFilteredOut, listAcross, pageOf, sliceOf } from '../access/paging.ts';
import { releaseDevice, type SendRelease } from '../commands/release.ts';
import { listingsOf } from '../devices/device.ts';
import { audit } from '../organizations/audit.ts';
import { countNewSite, updatingCellCounts } from '../store/cells.ts';
import { deleteDevice, listDevices } from '../store/devices.ts';
import { replan } from '../store/plans.ts';
import { cached } from '../store/query-cache.ts';
import type { DeviceRow } from '../store/schema.ts';
import * as store from '../store/sites.ts';
import { blankSite, changeSite, siteOf } from './site.ts';

// A house has a handful of devices, a large plant some hundreds.
const allDevices = { after: undefined, limit: 10_000 };

const serialsOf = (devices: readonly DeviceRow[]): Set<string> =>
  new Set(devices.map(({ gateway_serial }) => gateway_serial));

type SiteDeps = {
  sendRelease: SendRelease;
  withdrawPlans(context: Context, siteId: string): Promise<void>;
};

export function siteRoutes(mount: CloudMount, { sendRelease, withdrawPlans }: SiteDeps): void {
  mount(contract.listSites, (context) => {
    const { query, db, caller } = context;
    const list = async () => {
      const { rows, keyOf } = await listAcross(context, query, {
        all: (slice) => store.listAllSites(db, slice),
        of: (orgId, slice) => store.listSitesOf(db, slice, orgId),
        keyOf: (site) => site.id,
      });
      const { status, body, headers } = pageOf('/sites', query, rows, keyOf, siteOf);
      return new CachedAnswer(status, body, headers);
    };
    // Only rows that were read may affect the cached answer; the rights of the caller are not among them.
    return caller.application || isFilteredOut(context, query)
      ? list()
      : cached(db, `sites of ${caller.type} ${caller.identityId} ${JSON.stringify(query)}`, list);
  });

  mount(contract.createSite, async (context) => {
    const { body, db, now } = context;
    const { org_id, name, ...changes } = body;
    await context.checkQuota('sites', org_id);
    const site = changeSite(blankSite(newId('sit', now), org_id, name, now), changes);
    await store.insertSite(db, site);
    await countNewSite(db, site.cell);
    await audit(context, org_id, 'site.created', site.id, { name });
    return siteOf(site);
  });

  mount(contract.getSite, ({ params, db }) =>
    cached(db, `site ${params.site_id}`, async () => {
      const site = await store.getSite(db, params.site_id);
      const devices = await listDevices(db, allDevices, site.id);
      return new CachedAnswer(200, { ...siteOf(site), devices: await listingsOf(db, devices) });
    }),
  );

  mount(contract.updateSite, async (context) => {
    const { params, body, db, now } = context;
    const site = changeSite(await store.getSite(db, params.site_id), body);
    await updatingCellCounts(db, [site.id], () => store.updateSite(db, site));
    for (const serial of serialsOf(await listDevices(db, allDevices, site.id))) {
      await context.announce({ what: 'devices', serial });
    }
    await replan(db, site.id, now);
    await audit(context, site.org_id, 'site.changed', site.id, { fields: Object.keys(body) });
    return siteOf(site);
  });

  mount(contract.deleteSite, async (context) => {
    const { params, query, db, now } = context;
    const site = await store.getSite(db, params.site_id);
    const devices = await listDevices(db, allDevices, site.id);
    if (devices.length > 0 && !query.cascade) {
      throw new Problem('conflict', `The site has ${devices.length} devices; delete them first, or use ?cascade=true.`);
    }
    await withdrawPlans(context, site.id);
    await updatingCellCounts(db, [site.id], async () => {
      for (const device of devices) {
        await releaseDevice(device.id, context, sendRelease);
        await deleteDevice(db, device.id, now);
      }
      await store.deleteSite(db, site.id);
    });
    for (const serial of serialsOf(devices)) await context.announce({ what: 'devices', serial });
    for (const device of devices) await audit(context, site.org_id, 'device.deleted', device.id, { name: device.name });
    await announceAccess(context, { siteId: site.id });
    await audit(context, site.org_id, 'site.deleted', site.id, { name: site.name });
  });

  mount(contract.listSiteDevices, async ({ params, query, db }) => {
    const rows = await listDevices(db, sliceOf(query), params.site_id);
    const listings = await listingsOf(db, rows);
    return pageOf(`/sites/${params.site_id}/devices`, query, listings, idOf, asItIs);
  });
}
