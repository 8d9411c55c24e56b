import { createClient } from '#contract/client.ts';
import { planSentences } from '#contract/plan-sentences.ts';
import { type CarbonIntensity, getCarbonIntensity } from '#contract/price/carbon.ts';
import { getMarginalPrice, type MarginalPrice } from '#contract/price/marginal.ts';
import { tariffRoutes } from '#contract/price/tariffs.ts';
import { type Bill, getTotalPrice, makeBill, type TotalPrice } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';

export type BillBody = RequestOf<typeof makeBill>['body'];

export type MarginalBody = RequestOf<typeof getMarginalPrice>['body'];

export type PriceQuery = RequestOf<typeof getTotalPrice>['query'];

export type CarbonRequest = { area: string; from: string; to: string };

/** Calculates bills and prices, and knows carbon intensities: the price service in this process, or another one over HTTP. */
export type BillCalculator = {
  bill(body: BillBody): Promise<Bill>;
  prices(query: PriceQuery): Promise<TotalPrice>;
  marginalPrice(body: MarginalBody): Promise<MarginalPrice>;
  /** Throws `not_found` when no source is configured for the area. */
  carbon(request: CarbonRequest): Promise<CarbonIntensity>;
  /** Returns the price area at a position; undefined if it is not known. */
  areaAt(lat: number, lon: number): Promise<string | undefined>;
};

const timeoutMs = 60_000;
const retryAfterSeconds = 30;

/** Calls a price service at an address. */
export function remoteCalculator(baseUrl: string): BillCalculator {
  const client = createClient({ baseUrl });
  const signal = (): AbortSignal => AbortSignal.timeout(timeoutMs);
  return {
    bill: (body) => client.call(makeBill, { query: {}, body, signal: signal() }),
    prices: (query) => client.call(getTotalPrice, { query, signal: signal() }),
    marginalPrice: (body) => client.call(getMarginalPrice, { body, signal: signal() }),
    carbon: ({ area, ...query }) => client.call(getCarbonIntensity, { params: { area }, query, signal: signal() }),
    areaAt: async (lat, lon) =>
      (await absent(client.call(tariffRoutes.lookup, { query: { lat, lon }, signal: signal() })))?.area,
  };
}

const refuse = (): Promise<never> =>
  Promise.reject(new Problem('unavailable', planSentences.price_service_missing, { retryAfterSeconds }));

export const noCalculator: BillCalculator = {
  bill: refuse,
  prices: refuse,
  marginalPrice: refuse,
  carbon: ({ area }) =>
    Promise.reject(new Problem('not_found', `No source of carbon intensities is configured for ${area}.`)),
  areaAt: () => Promise.resolve(undefined),
};

/** Calculates a bill for a site. */
export const billOf = (calculator: Pick<BillCalculator, 'bill'>, body: BillBody): Promise<Bill> =>
  askForSite(() => calculator.bill(body));

export const marginalPriceOf = (
  calculator: Pick<BillCalculator, 'marginalPrice'>,
  body: MarginalBody,
): Promise<MarginalPrice> => askForSite(() => calculator.marginalPrice(body));

/** Returns the carbon intensities of a price area; undefined when no source is configured for it. */
export const carbonOf = (
  calculator: Pick<BillCalculator, 'carbon'>,
  request: CarbonRequest,
): Promise<CarbonIntensity | undefined> => askForSite(() => absent(calculator.carbon(request)));

export const areaOf = (
  calculator: Pick<BillCalculator, 'areaAt'>,
  lat: number,
  lon: number,
): Promise<string | undefined> => askForSite(() => calculator.areaAt(lat, lon));

/** Calls a price service for a site. Its problems with tariff, area and contract are those of the site. */
async function askForSite<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Problem) throw problemOfSite(error);
    if (error instanceof DOMException)
      throw new Problem('unavailable', planSentences.price_service_silent, { retryAfterSeconds }, { cause: error });
    throw error;
  }
}

/** Resolves to undefined when the answer is `not_found`. */
const absent = <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_found') return undefined;
    throw error;
  });

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
