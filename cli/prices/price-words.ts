import type { TotalPrice } from '#contract/price/total.ts';
import { showNumber } from '../line/quantity.ts';

/** For a kilowatt-hour, in the currency of the answer. */
export const showPrice = (price: number, decimals = 4): string => (price + 0).toFixed(decimals);

type Source = {
  area: string;
  currency: string;
  metadata: Pick<TotalPrice['metadata'], 'provider' | 'is_simulated' | 'fx' | 'resolved_area'>;
};

/** Where the prices come from, what they are in, and what was assumed. */
export function sourceWords({ currency, metadata }: Source): string {
  const { provider, is_simulated, fx } = metadata;
  const simulated = is_simulated ? ' (simulated, not of a real market)' : '';
  const rate = fx ? ` One euro is ${showNumber(fx.rate, 4)} ${currency} (${fx.source}, ${fx.date}).` : '';
  return `Spot prices: ${provider}${simulated}.${rate}`;
}

/** `SE3`, or `SE3 (for SE)` when that was asked for. */
export const areaWords = ({ area, metadata }: Source): string =>
  area === metadata.resolved_area ? area : `${metadata.resolved_area} (for ${area})`;

const endings: Partial<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' };

/** `1st`, `2nd`, `11th`. */
export const ordinal = (n: number): string =>
  `${n}${(Math.floor(n / 10) % 10 === 1 ? undefined : endings[n % 10]) ?? 'th'}`;
