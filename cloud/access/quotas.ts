import type { QuotaUsage } from '#contract/cloud/organizations.ts';
import { Problem } from '#contract/problem.ts';
import { RecentMap } from '#lib/recent-map.ts';
import type { CloudConfig } from '../config.ts';
import type { Db } from '../store/engine.ts';
import { countUsed } from '../store/quotas.ts';
import { type Caller, seesEverything } from './caller.ts';

type QuotaName = keyof typeof countUsed;

/** Each quota: the setting that limits it, and the words of its refusal. To add one, count it in store/quotas.ts. */
const quotas = {
  organizations: { setting: 'ORGANIZATIONS_PER_IDENTITY', owner: 'You have created', what: 'organizations' },
  sites: { setting: 'SITES_PER_ORGANIZATION', owner: 'The organization has', what: 'sites' },
  gateways: { setting: 'GATEWAYS_PER_ORGANIZATION', owner: 'The organization has', what: 'gateways' },
  devices: { setting: 'DEVICES_PER_ORGANIZATION', owner: 'The organization has', what: 'devices (orphaned included)' },
  gateway_devices: { setting: 'DEVICES_PER_GATEWAY', owner: 'The gateway has', what: 'devices' },
  ders: { setting: 'DERS_PER_DEVICE', owner: 'The device has', what: 'DERs' },
  invitations: { setting: 'INVITATIONS_PER_ORGANIZATION', owner: 'The organization has', what: 'open invitations' },
  oauth_clients: { setting: 'OAUTH_CLIENTS_PER_ORGANIZATION', owner: 'The organization has', what: 'applications' },
  alert_channels: { setting: 'ALERT_CHANNELS_PER_IDENTITY', owner: 'You have', what: 'browsers and addresses' },
  alert_hooks: { setting: 'ALERT_HOOKS_PER_SITE', owner: 'The site has', what: 'webhooks and topics' },
} as const satisfies Record<QuotaName, { setting: keyof CloudConfig; owner: string; what: string }>;

export type QuotaConfig = Pick<CloudConfig, (typeof quotas)[QuotaName]['setting']>;

/** Throws if `adding` more would exceed the limit. Call it before the insert, in the same transaction. */
export type CheckQuota = (name: QuotaName, ownerId: string, adding?: number) => Promise<void>;

/** Up to this many processes can skip counts at the same time without exceeding a limit together. */
const maxProcesses = 16;

/**
 * Returns the quota checks of callers; platform administrators have no quotas. Serializable transactions prevent races.
 * Counting takes longer the more there is, so the next count is due when a share of the room that was left is used up.
 */
export function createQuotaChecks(config: QuotaConfig): (caller: Caller, db: Db) => CheckQuota {
  const uncounted = new RecentMap<number>(10_000); // how many may be added before the next count

  return (caller, db) =>
    async (name, ownerId, adding = 1) => {
      if (adding === 0 || seesEverything(caller)) return;
      const { setting, owner, what } = quotas[name];
      const limit = config[setting];
      const key = `${name} ${ownerId}`;
      const allowed = uncounted.get(key) ?? 0;
      if (adding <= allowed) {
        uncounted.set(key, allowed - adding);
        return;
      }
      const used = await countUsed[name](db, ownerId, limit);
      uncounted.set(key, Math.floor((limit - used - adding) / maxProcesses));
      if (used + adding <= limit) return;
      const more = adding === 1 ? '' : `, and ${adding} more were requested`;
      throw new Problem(
        'quota_exceeded',
        `${owner} ${used} ${what}${more}; the limit is ${limit}. ` +
          `Delete some first, or ask the operator of this platform to raise ${setting}.`,
      );
    };
}

/** Returns what an organization uses of each quota that is counted by organization. */
export async function organizationUsage(config: QuotaConfig, db: Db, orgId: string): Promise<QuotaUsage[]> {
  const usage: QuotaUsage[] = [];
  for (const [name, { setting }] of Object.entries(quotas) as [QuotaName, (typeof quotas)[QuotaName]][]) {
    if (!setting.endsWith('_PER_ORGANIZATION')) continue;
    const limit = config[setting];
    usage.push({ name, used: await countUsed[name](db, orgId, limit), limit, setting });
  }
  return usage;
}
