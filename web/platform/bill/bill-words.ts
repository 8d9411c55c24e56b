import type { SiteBill } from '#contract/cloud/bill.ts';
import { date, inUnit, money, number, percent, texts } from '../../parts/text.ts';
import { smallChangeOf } from '../market/small-change.ts';

export type BillLine = SiteBill['lines'][number];

const t = texts({
  spot: 'Electricity at the spot price',
  energy: 'Electricity at a fixed price',
  markup: 'Supplier’s markup',
  fee: 'Supplier’s monthly fee',
  export: 'Sold electricity',
  grid_energy: 'Grid fee per kWh',
  fixed: 'Fixed grid fee',
  power: 'Power charge',
  compensation: 'Grid benefit compensation',
  energy_tax: 'Energy tax',
  vat: 'VAT',
  tax_reduction: 'Tax reduction',
  support: 'Electricity support',
  day: 'day',
  week: 'week',
  month: 'month',
  year: 'year',
});

/** Whom a line is paid to. */
export const payees = ['supplier', 'grid', 'state'] as const;
export type Payee = (typeof payees)[number];

const payeeOf: Record<BillLine['kind'], Payee> = {
  spot: 'supplier',
  energy: 'supplier',
  markup: 'supplier',
  fee: 'supplier',
  export: 'supplier',
  grid_energy: 'grid',
  fixed: 'grid',
  power: 'grid',
  compensation: 'grid',
  energy_tax: 'state',
  vat: 'state',
  tax_reduction: 'state',
  support: 'state',
};

export const linesOf = (lines: readonly BillLine[], payee: Payee): BillLine[] =>
  lines.filter(({ kind }) => payeeOf[kind] === payee);

/** Adds amounts in whole cents. */
export const sumOf = (lines: readonly BillLine[]): number =>
  lines.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100;

/** Names a line as invoices do; grid operators have their own name for it. */
export function lineName({ kind, name, price, from, to }: BillLine): { name: string; own?: string; days?: string } {
  const isOwn = ['grid_energy', 'fixed', 'power'].includes(kind);
  return {
    name: kind === 'vat' ? `${t(kind)} ${percentText(price)}` : t(kind),
    ...(isOwn && { own: name }),
    ...(from && to && kind !== 'power' && { days: `${dayText(from)} – ${lastDayText(to)}` }),
  };
}

const dayText = (day: string): string => date(Date.parse(day), 'UTC');
export const lastDayText = (day: string): string => date(Date.parse(day) - 1, 'UTC');
const percentText = (fraction: number): string => percent(fraction, Math.round(fraction * 1000) % 10 === 0 ? 0 : 1);

const periods = ['day', 'week', 'month', 'year'] as const;
const periodOf = (unit: string) => periods.find((period) => period === unit);

export function lineQuantity({ kind, quantity, unit }: BillLine, currency: string): string {
  if (kind === 'vat') return money(quantity, currency);
  const period = periodOf(unit);
  if (period) return inUnit(quantity, period, quantity % 1 === 0 ? 0 : 2);
  return `${number(quantity, 2)} ${unit}`;
}

export function linePrice({ kind, price, unit }: BillLine, currency: string): string {
  if (kind === 'vat') return '';
  const period = periodOf(unit);
  if (unit !== 'kWh') return `${money(price, currency)}/${period ? t(period) : unit}`;
  const { name, perUnit } = smallChangeOf(currency);
  return `${number(price * perUnit, 2)} ${name}/kWh`;
}
