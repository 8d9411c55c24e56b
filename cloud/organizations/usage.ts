import { getUsage } from '#contract/cloud/usage.ts';
import type { CloudMount } from '../access/door.ts';
import { organizationUsage, type QuotaConfig } from '../access/quotas.ts';

export type UsageDeps = {
  quotas: QuotaConfig;
  telemetry: { maxBytesPerDay: number; today(orgId: string): Promise<number> };
};

export function usageRoutes(mount: CloudMount, { quotas, telemetry }: UsageDeps): void {
  mount(getUsage, async ({ params, db }) => [
    ...(await organizationUsage(quotas, db, params.org_id)),
    {
      name: 'telemetry_bytes_today',
      used: await telemetry.today(params.org_id),
      limit: telemetry.maxBytesPerDay,
      setting: 'TELEMETRY_MB_PER_DAY',
    },
  ]);
}
