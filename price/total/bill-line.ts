import type { BillLine } from '#contract/price/total.ts';
import { fromCents, fromMillionths, roundQuantity, toCents, toMillionths } from './money.ts';

export type Quantity = Pick<BillLine, 'kind' | 'name' | 'quantity' | 'unit'>;

/** Creates a line; the amount is rounded to cents, so that lines add up. */
export const lineOf = (what: Quantity, price: number, amount: number): BillLine => ({
  ...what,
  quantity: roundQuantity(what.quantity),
  price: fromMillionths(toMillionths(price)),
  amount: fromCents(toCents(amount)),
});

/** Creates a line whose price is the mean of prices that change. */
export const meanLine = (what: Quantity, amount: number): BillLine =>
  lineOf(what, what.quantity === 0 ? 0 : amount / what.quantity, amount);

export const centsOf = (lines: readonly BillLine[]): number =>
  lines.reduce((sum, { amount }) => sum + toCents(amount), 0);
