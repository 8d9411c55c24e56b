import type { Option } from '../line/command.ts';
import { UsageError } from '../line/usage-error.ts';

/** What a total price depends on beside the place and the time. */
export const termOptions = {
  tariff: { value: 'ID', says: 'grid tariff, as ohmstead tariffs find shows it; that of your site when left out' },
  markup: { value: 'PRICE', says: 'what your supplier adds for a kWh, before VAT' },
  vat: { value: 'PERCENT', says: 'for countries whose VAT is not known here; it is known for Sweden' },
} as const satisfies Record<string, Option>;

export type TermOptions = { [Name in keyof typeof termOptions]: string | undefined };

/** The terms as the price service takes them. */
export function termsOf({ tariff, markup, vat }: TermOptions, siteTariff: string | undefined, commandName: string) {
  const tariff_id = tariff ?? siteTariff;
  return {
    ...(tariff_id !== undefined && { tariff_id }),
    ...(markup !== undefined && { markup: numberOf('markup', markup, commandName) }),
    ...(vat !== undefined && { vat: numberOf('vat', vat, commandName) }),
  };
}

export function numberOf(name: string, text: string, commandName: string): number {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new UsageError(`--${name} is a number.`, commandName);
}
