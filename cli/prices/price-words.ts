import type { TotalPrice } from '#contract/price/total.ts';
import { formatNumber } from '../line/quantity.ts';

export const formatPrice = (price: number, decimals = 4): string => (price + 0).toFixed(decimals);

type PriceSource = {
  area: string;
  currency: string;
  metadata: Pick<TotalPrice['metadata'], 'provider' | 'is_simulated' | 'fx' | 'resolved_area'>;
};

export function describeSource({ currency, metadata }: PriceSource): string {
  const { provider, is_simulated, fx } = metadata;
  const simulated = is_simulated ? ' (simulated, not a real market)' : '';
  const rate = fx ? ` One euro is ${formatNumber(fx.rate, 4)} ${currency} (${fx.source}, ${fx.date}).` : '';
  return `Spot prices: ${provider}${simulated}.${rate}`;
}

export const describeVat = ({ vat_percent }: TotalPrice['metadata']): string =>
  vat_percent > 0 ? `with ${vat_percent} % VAT` : 'without VAT';

/** Returns `SE3`, or `SE3 (for SE)` if the request named SE. */
export const describeArea = ({ area, metadata }: PriceSource): string =>
  area === metadata.resolved_area ? area : `${metadata.resolved_area} (for ${area})`;

const endings: Partial<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' };

/** Formats an ordinal: `1st`, `2nd`, `11th`. */
export const ordinal = (n: number): string =>
  `${n}${(Math.floor(n / 10) % 10 === 1 ? undefined : endings[n % 10]) ?? 'th'}`;
