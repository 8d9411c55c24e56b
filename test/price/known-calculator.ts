import { type BillCalculator, noCalculator } from '#cloud/bill/bill-calculator.ts';
import { readShipped } from '#price/tariffs/testing/tariffs.ts';
import { makeBill } from '#price/total/bill.ts';
import { marginalPrice } from '#price/total/marginal.ts';
import type { TotalDeps } from '#price/total/terms.ts';
import { type KnownMarket, knownMarket } from '#price/total/testing/known-market.ts';
import { totalPrice } from '#price/total/total-price.ts';

export { dearer, threePeaks } from '#price/total/testing/known-market.ts';

/** The real calculation of bills, with prices that are known by the hour of the day, and without carbon intensities. */
export const knownCalculator = (market: KnownMarket): BillCalculator => calculatorOf(knownMarket(market));

/** The same with the tariffs that are part of the price service. */
export async function shippedCalculator(market: KnownMarket) {
  const book = (await readShipped()).book();
  const tariffs = book.providers.flatMap(({ tariffs: own }) => own);
  return { tariffs, calculator: calculatorOf({ ...knownMarket(market), book: () => book }) };
}

const calculatorOf = (deps: TotalDeps): BillCalculator => ({
  ...noCalculator,
  bill: (body) => makeBill(body, deps),
  marginalPrice: (body) => marginalPrice(body, deps),
  prices: async (query) => JSON.parse(await totalPrice(query, deps)),
});
