import { type BillCalculator, noCalculator } from '#cloud/bill/bill-calculator.ts';
import { makeBill } from '#price/total/bill.ts';
import { type KnownMarket, knownMarket } from '#price/total/testing/known-market.ts';
import { totalPrice } from '#price/total/total-price.ts';

export { dearer, threePeaks } from '#price/total/testing/known-market.ts';

/** The real calculation of bills, with prices that are known by the hour of the day, and without carbon intensities. */
export function knownCalculator(market: KnownMarket): BillCalculator {
  const deps = knownMarket(market);
  return {
    ...noCalculator,
    bill: (body) => makeBill(body, deps),
    prices: async (query) => JSON.parse(await totalPrice(query, deps)),
  };
}
