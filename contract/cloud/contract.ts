import { may } from '../access.ts';
import { ContractPeriods } from '../price/contract.ts';
import { routesOf } from '../route.ts';
import { type Static, Titled, Type } from '../schema.ts';

const api = routesOf({ tag: 'Contract' });

export const SiteContract = Titled('SiteContract', { site_id: Type.String(), periods: ContractPeriods });
export type SiteContract = Static<typeof SiteContract>;

export const getContract = api.get('/sites/{site_id}/contract', 'Get the contract of a household', {
  description:
    'The prices and payments that the household agreed with its supplier. The list is empty until it is set.',
  access: may('read', 'site', 'params.site_id'),
  scope: 'read:sites',
  replies: { 200: SiteContract },
  conditional: true,
});

export const updateContract = api.put('/sites/{site_id}/contract', 'Set the contract of a household', {
  description:
    'Replaces all periods. A period without tariff_id or fuse_a uses those of the site. Bills use the price area of the site.',
  access: may('manage', 'site', 'params.site_id'),
  resource: getContract,
  body: Type.Object({ periods: ContractPeriods }),
  replies: { 200: SiteContract },
  problems: ['unprocessable'],
});

export const contractRoutes = api.all;
