import type { PartKind } from '#contract/price/total.ts';
import { inSentence, money, texts, timeOfDay } from '../../parts/text.ts';

const t = texts({
  spot: 'Spot price',
  markup: 'Supplier’s markup',
  grid_energy: 'Grid fee',
  energy_tax: 'Energy tax',
  vat: 'VAT',
});

export const partName = (kind: PartKind): string => t(kind);

export const partNameInSentence = (kind: PartKind): string => inSentence(t(kind));

export const perKwh = (amount: number, currency: string, digits = 2): string =>
  `${money(amount, currency, digits)}/kWh`;

export const timeSpan = (start: number, end: number, timeZone?: string): string =>
  `${timeOfDay(start, timeZone)}–${timeOfDay(end, timeZone)}`;
