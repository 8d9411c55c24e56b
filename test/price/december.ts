import assert from 'node:assert/strict';
import type { Bill, BillLine } from '#contract/price/total.ts';
import { hourMs } from '#contract/time.ts';
import { hoursFrom } from './open-price.ts';

export const december = '2025-11-30T23:00:00Z';

/** A kilowatt all December, and more at these local hours. */
export function decemberLoad(peaks: Record<string, number>) {
  const energies = Array.from({ length: 31 * 24 }, () => 1);
  for (const [local, kw] of Object.entries(peaks)) {
    energies[(Date.parse(`${local}:00+01:00`) - Date.parse(december)) / hourMs] = kw;
  }
  return hoursFrom(december, energies);
}

export const linesOf = ({ lines }: Bill, kind: BillLine['kind']): BillLine[] =>
  lines.filter((line) => line.kind === kind);

export const cents = (amount: number): number => Math.round(amount * 100);

export function assertAddsUp({ lines, total }: Bill): void {
  assert.equal(
    lines.reduce((sum, { amount }) => sum + cents(amount), 0),
    cents(total),
  );
  for (const { amount } of lines) assert.equal(cents(amount) / 100, amount);
}
