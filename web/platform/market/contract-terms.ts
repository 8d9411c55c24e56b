import { getContract } from '#contract/cloud/contract.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { dateAt } from '#contract/time-zone.ts';
import { timeNow } from '../../parts/now.ts';
import { api } from '../session.ts';
import { type ChosenTerms, contractTerms } from './total-price.ts';

/** Loads the price terms of the contract of a site that are in force today. */
export async function loadContractTerms({ id, timezone }: SiteDetails, signal: AbortSignal): Promise<ChosenTerms> {
  const { periods } = await api().call(getContract, { params: { site_id: id }, signal });
  return contractTerms(periods, dateAt(timezone, timeNow()));
}
