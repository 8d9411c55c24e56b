import type { BillLine } from '#contract/price/total.ts';
import { hourMs } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { meanLine } from './bill-line.ts';
import type { SupplierUse } from './energy-use.ts';
import { createSpotLookup, type SpotPrices } from './spot.ts';

// Stønad til husholdninger: NOK per kWh before VAT, above which the state pays a share of the spot price of the hour.
const thresholds = [
  { from: '2026-01-01', nokPerKwh: 0.77 },
  { from: '2025-01-01', nokPerKwh: 0.75 },
  { from: '2024-01-01', nokPerKwh: 0.73 },
  { from: '2023-09-01', nokPerKwh: 0.7 },
] as const;

const paidShare = 0.9;
const maxKwhPerMonth = 5000;

/** Returns the threshold of a day, and the share of a price above it that is paid; undefined before the first one. */
export function supportOn(date: string): { nokPerKwh: number; share: number } | undefined {
  const found = thresholds.find(({ from }) => from <= date);
  return found && { nokPerKwh: found.nokPerKwh, share: paidShare };
}

/** Calculates the Norwegian support. It lowers the price before VAT; energy above the monthly limit gets none. */
export function supportLines({ span, loads }: SupplierUse, { points }: SpotPrices): BillLine[] {
  const { period, terms } = span;
  if (period?.support !== 'stromstotte') return [];
  const spotOf = createSpotLookup(points);
  const ofMonth = new Map<string, number>();
  let [kwh, amount] = [0, 0];
  for (const { start, imported } of loads) {
    const hour = Math.floor(start / hourMs) * hourMs;
    const spot = spotOf(hour, hour + hourMs) ?? spotOf(start, start + hourMs / 4);
    const date = dateAt(terms.timeZone, start);
    const threshold = supportOn(date)?.nokPerKwh;
    if (!spot || threshold === undefined) continue;
    const month = date.slice(0, 7);
    const used = ofMonth.get(month) ?? 0;
    const paid = Math.min(imported, Math.max(0, maxKwhPerMonth - used));
    ofMonth.set(month, used + imported);
    const above = (spot.eur_per_mwh * terms.perEuro) / 1000 - threshold;
    if (above <= 0) continue;
    kwh += paid;
    amount += paid * above * paidShare;
  }
  if (amount === 0) return [];
  return [meanLine({ kind: 'support', name: 'Strømstøtte', quantity: kwh, unit: 'kWh' }, -amount)];
}
