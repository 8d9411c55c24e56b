import { quarterMs } from '#contract/cloud/energy.ts';
import { Problem } from '#contract/problem.ts';
import { marginalPriceOf } from '../bill/bill-calculator.ts';
import { type Household, termsOf } from '../bill/site-bill.ts';
import { createTerms, importPrice, spotHistory } from '../plans/site-problem.ts';

export type MarginalPrices = { buy: Float64Array; sell: Float64Array };

/** Reads what a further Wh costs and earns in each quarter of adjacent stretches, apart from power charges. */
export async function marginalPrices(
  home: Household,
  stretches: readonly { from: number; to: number }[],
): Promise<MarginalPrices> {
  const begin = stretches[0]!.from;
  const count = (stretches.at(-1)!.to - begin) / quarterMs;
  const [buy, sell] = [new Float64Array(count), new Float64Array(count)];
  for (const { from, to } of stretches) {
    const found = await marginalPriceOf(home.calculator, { ...termsOf(home), from, to });
    const spot = spotHistory(found);
    const termAt = createTerms(found.terms);
    for (let at = from; at < to; at += quarterMs) {
      const price = spot.values[(at - spot.startMs) / quarterMs] ?? Number.NaN;
      const term = termAt(at);
      const i = (at - begin) / quarterMs;
      buy[i] = importPrice(term, price) / 1000;
      sell[i] = (term.export_fixed + term.export_spot * price) / 1000;
    }
  }
  for (const prices of [buy, sell]) fillGaps(prices);
  return { buy, sell };
}

/** Takes an unknown price for the one before it. */
function fillGaps(prices: Float64Array): void {
  let last = prices.find((price) => !Number.isNaN(price));
  if (last === undefined) throw new Problem('unprocessable', 'No prices of this time are known.');
  for (const [i, price] of prices.entries()) {
    if (Number.isNaN(price)) prices[i] = last;
    else last = price;
  }
}
