import { createClient } from '#contract/client.ts';
import { type Bill, getTotalPrice, makeBill, type TotalPrice } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';

export type BillBody = RequestOf<typeof makeBill>['body'];

export type PriceQuery = RequestOf<typeof getTotalPrice>['query'];

/** Calculates bills and total prices: the price service in this process, or another one over HTTP. */
export type BillCalculator = {
  bill(body: BillBody): Promise<Bill>;
  prices(query: PriceQuery): Promise<TotalPrice>;
};

const timeoutMs = 60_000;
const retryAfterSeconds = 30;

/** Calls a price service at an address. */
export function remoteCalculator(baseUrl: string): BillCalculator {
  const client = createClient({ baseUrl });
  return {
    bill: (body) => client.call(makeBill, { query: {}, body, signal: AbortSignal.timeout(timeoutMs) }),
    prices: (query) => client.call(getTotalPrice, { query, signal: AbortSignal.timeout(timeoutMs) }),
  };
}

const refuse = (): Promise<never> =>
  Promise.reject(
    new Problem(
      'unavailable',
      'This platform has no price service. Start it with prices (ohmstead up), or set PRICE_URL to the address of one.',
      { retryAfterSeconds },
    ),
  );

export const noCalculator: BillCalculator = { bill: refuse, prices: refuse };

/** Calls a price service for a site. Its problems with tariff, area and contract are those of the site. */
export async function billOf(calculator: Pick<BillCalculator, 'bill'>, body: BillBody): Promise<Bill> {
  try {
    return await calculator.bill(body);
  } catch (error) {
    if (error instanceof Problem) throw problemOfSite(error);
    if (error instanceof DOMException)
      throw new Problem('unavailable', 'The price service did not answer.', { retryAfterSeconds }, { cause: error });
    throw error;
  }
}

function problemOfSite(problem: Problem): Problem {
  const { code, message, details } = problem;
  if (code === 'unavailable') return problem;
  if (code === 'not_found' || code === 'unprocessable')
    return new Problem('unprocessable', message, {}, { cause: problem });
  const { retryAfterSeconds: seconds = retryAfterSeconds } = details;
  return new Problem(
    'unavailable',
    `The price service cannot be used: ${message}`,
    { retryAfterSeconds: seconds },
    { cause: problem },
  );
}
