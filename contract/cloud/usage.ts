import type { Static } from 'typebox';
import { may } from '../access.ts';
import { route } from '../route.ts';
import { Type } from '../schema.ts';

const QuotaUsage = Type.Object(
  {
    name: Type.String({ description: 'what is counted, for example sites or telemetry_bytes_today' }),
    used: Type.Integer({ description: 'objects are counted up to the limit' }),
    limit: Type.Integer(),
    setting: Type.String({ description: 'the setting of the platform that has the limit' }),
  },
  { title: 'QuotaUsage' },
);
export type QuotaUsage = Static<typeof QuotaUsage>;

export const getUsage = route({
  method: 'GET',
  path: '/organizations/{org_id}/usage',
  tag: 'Organizations',
  summary: 'The use of each quota of an organization',
  description: 'Telemetry is counted by UTC day; readings beyond its quota are dropped and counted as quota.',
  access: may('read', 'organization', 'params.org_id'),
  replies: { 200: Type.Array(QuotaUsage) },
});

export const usageRoutes = [getUsage];
