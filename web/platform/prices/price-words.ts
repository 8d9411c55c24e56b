import type { PartKind } from '#contract/price/total.ts';
import { money, timeOfDay } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';

const t = texts({
  en: {
    spot: 'Spot price',
    markup: 'Supplier’s markup',
    grid_energy: 'Grid fee',
    energy_tax: 'Energy tax',
    vat: 'VAT',
  },
  sv: {
    spot: 'Spotpris',
    markup: 'Elhandlarens påslag',
    grid_energy: 'Nätavgift',
    energy_tax: 'Energiskatt',
    vat: 'Moms',
  },
});

export const partName = (kind: PartKind): string => t(kind);

/** Returns the name for use within a sentence; abbreviations such as VAT stay in capitals. */
export const partNameInSentence = (kind: PartKind): string =>
  t(kind).replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());

export const perKwh = (amount: number, currency: string, digits = 2): string =>
  `${money(amount, currency, digits)}/kWh`;

export const timeSpan = (start: number, end: number, timeZone?: string): string =>
  `${timeOfDay(start, timeZone)}–${timeOfDay(end, timeZone)}`;
