import { quarterMs } from '#contract/cloud/energy.ts';
import type { ContractPeriod } from '#contract/price/contract.ts';
import type { TotalInterval } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { dateAt } from '#contract/time-zone.ts';
import { pricesOf } from '../bill/bill-calculator.ts';
import { type Household, termsOf } from '../bill/site-bill.ts';

export type MarginalPrices = { buy: Float64Array; sell: Float64Array };

/** Reads what a further Wh costs and earns in each quarter of [from, to), apart from power charges. */
export async function marginalPrices(
  home: Household,
  stretches: readonly { from: number; to: number }[],
): Promise<MarginalPrices> {
  const begin = stretches[0]!.from;
  const count = (stretches.at(-1)!.to - begin) / quarterMs;
  const [buy, sell] = [new Float64Array(count).fill(Number.NaN), new Float64Array(count).fill(Number.NaN)];
  const { contracts, timezone: _, ...terms } = termsOf(home);
  for (const { from, to } of stretches) {
    const periodAt = (ms: number) => {
      const date = dateAt(home.timeZone, ms);
      return contracts?.findLast(({ valid_from }) => valid_from <= date);
    };
    const { tariff_id = terms.tariff_id, fuse_a } = periodAt(from) ?? {};
    const { intervals, metadata } = await pricesOf(home.calculator, {
      ...terms,
      ...(tariff_id !== undefined && { tariff_id }),
      ...(fuse_a !== undefined && { fuse_a }),
      from: String(from),
      to: String(to),
      resolution: 'PT15M',
    });
    for (const interval of intervals) {
      const start = Date.parse(interval.start);
      const i = (start - begin) / quarterMs;
      const prices = withContract(interval, periodAt(start), metadata.vat_percent);
      buy[i] = prices.buy / 1000;
      sell[i] = prices.sell / 1000;
    }
  }
  for (const prices of [buy, sell]) fillGaps(prices);
  return { buy, sell };
}

/** Returns the prices of a kWh under a contract; the yearly limit of a tax reduction is left to the bill. */
function withContract({ total, parts }: TotalInterval, period: ContractPeriod | undefined, countryVat: number) {
  const spot = parts.reduce((sum, { kind, amount }) => (kind === 'spot' ? sum + amount : sum), 0);
  const vat = parts.reduce((sum, { kind, amount }) => (kind === 'vat' ? sum + amount : sum), 0);
  const supplier = (period?.fixed_price_per_kwh ?? spot) + (period?.markup_per_kwh ?? 0);
  const factor = 1 + (period?.vat_percent ?? countryVat) / 100;
  const sold = period?.export;
  const paid = sold?.price_per_kwh ?? spot + (sold?.adjustment_per_kwh ?? 0);
  const benefits = (period?.export_grid_benefit_per_kwh ?? 0) + (period?.tax_reduction?.per_kwh ?? 0);
  return { buy: (total - vat - spot + supplier) * factor, sell: paid + benefits };
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
