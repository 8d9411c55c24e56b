import { createSender } from '#contract/client/send.ts';
import { getContract, type SiteContract, updateContract } from '#contract/cloud/contract.ts';
import type { ContractPeriod } from '#contract/price/contract.ts';
import { texts } from '../../parts/text.ts';
import { explaining } from '../explain.ts';
import { api } from '../session.ts';

const t = texts({
  precondition_failed:
    'The contract was changed elsewhere after you opened this page. Your entries are still here: copy what you need, then reload the page.',
});

export type StoredContract = SiteContract & {
  /** names this state, so that a change does not overwrite another one */
  etag: string;
};

function send(...request: Parameters<ReturnType<typeof createSender>>): Promise<Response> {
  const platform = api();
  return createSender({ baseUrl: platform.url, token: (refused) => platform.token(refused) })(...request);
}

export async function loadContract(siteId: string, signal: AbortSignal): Promise<StoredContract> {
  const answer = await send(getContract, { params: { site_id: siteId }, signal });
  const contract: SiteContract = await answer.json();
  return { ...contract, etag: answer.headers.get('etag') ?? '*' };
}

/** Stores all periods, unless the contract was changed since it was loaded. */
export async function storeContract(siteId: string, periods: readonly ContractPeriod[], etag: string): Promise<void> {
  const headers = { 'if-match': etag };
  await explaining(send(updateContract, { params: { site_id: siteId }, body: { periods }, headers }), t);
}
