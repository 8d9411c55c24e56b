import { getTotalPrice, type TotalPrice } from '#contract/price/total.ts';
import type { Shell } from '../line/command.ts';
import { daysOf, type PriceDay } from './price-day.ts';
import { findPlace, priceClient } from './price-terms.ts';

type SpotPrices = { answer: TotalPrice; days: PriceDay[]; timeZone: string };

/** Those of today, and of tomorrow once they are published, where the options say. */
export async function askSpotPrices(
  typed: Parameters<typeof findPlace>[0],
  shell: Shell,
  commandName: string,
): Promise<SpotPrices> {
  const { query, timeZone } = await findPlace(typed, shell, commandName);
  const client = await priceClient(typed.options, shell);
  const answer = await client.call(getTotalPrice, { query });
  return { answer, days: daysOf(answer), timeZone };
}

/** What the numbers are, for programs. */
export const aboutSpot = ({ currency, metadata }: TotalPrice) => ({
  area: metadata.resolved_area,
  currency,
  unit: 'kWh',
  vat_included: false,
  provider: metadata.provider,
  is_simulated: metadata.is_simulated,
});
