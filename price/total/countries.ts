// Where the currency is not the euro and the European Central Bank tells its rate.
const currencies: Readonly<Record<string, string>> = {
  CH: 'CHF',
  CZ: 'CZK',
  DK: 'DKK',
  GB: 'GBP',
  HU: 'HUF',
  NO: 'NOK',
  PL: 'PLN',
  RO: 'RON',
  SE: 'SEK',
  TR: 'TRY',
};

export const currencyOf = (countryCode: string): string => currencies[countryCode] ?? 'EUR';

export type Vat = { percent: number; source: string };

/** Rates on electricity change, and differ by region and by customer: only the Swedish one is known here. */
export const vatOf = (countryCode: string): Vat | undefined =>
  countryCode === 'SE' ? { percent: 25, source: 'Skatteverket' } : undefined;
