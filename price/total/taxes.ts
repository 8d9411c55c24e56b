import { writeTaxRule } from '#contract/price/tariff-rules.ts';
import type { Area } from '../electricity/areas.ts';
import type { Component } from '../tariffs/eltariff.ts';

// SEK per kWh before VAT. 9.6 öre less in the north (lag 1994:1776 om skatt på energi, 11 kap.).
const swedishRates = [
  { year: 2021, full: 0.356, reduced: 0.26 },
  { year: 2022, full: 0.36, reduced: 0.264 },
  { year: 2023, full: 0.392, reduced: 0.296 },
  { year: 2024, full: 0.428, reduced: 0.332 },
  { year: 2025, full: 0.439, reduced: 0.343 },
  { year: 2026, full: 0.36, reduced: 0.264 },
] as const;

/** Returns the rates of a year, or those of the nearest known year. */
const ratesOf = (year: number) => swedishRates.findLast((rates) => rates.year <= year) ?? swedishRates[0];

/** Last year whose rates are known; those of 2027 are not decided. */
export const lastTaxYear = 2026;

const listedRates = (year: number) => swedishRates.find((rates) => rates.year === year);

// Jämtland, Västerbotten and Norrbotten, by the first digits of the municipality code.
const reducedCounties = ['23', '24', '25'];
// Torsby, Malung-Sälen, Orsa, Älvdalen, Mora, Ljusdal, Ånge, Sollefteå and Örnsköldsvik.
const reducedMunicipalities = ['1737', '2023', '2034', '2039', '2062', '2161', '2260', '2283', '2284'];

type TaxedPlace = {
  area: Area;
  year: number;
  municipality: string | undefined;
  /** energy taxes listed in the tariff, possibly of other years */
  seen: readonly { year: number; sekPerKwh: number }[];
};

/** Returns the Swedish energy tax of a year; undefined in other countries. */
export function energyTax(place: TaxedPlace) {
  const { area, year } = place;
  if (area.countryCode !== 'SE') return undefined;
  const isReduced = isInTheNorth(place);
  const { year: known, full, reduced } = ratesOf(year);
  const rule = writeTaxRule({ year: known, isReduced, ...(known !== year && { unknownYear: year }) });
  return { sekPerKwh: isReduced ? reduced : full, source: 'Skatteverket', rule };
}

/** Tells whether a component is the energy tax, which most tariffs list among their energy prices. */
export const isTax = ({ reference, name }: Component): boolean =>
  /^tax/i.test(reference) || /skatt|\btax\b/i.test(name);

/** Converts a listed tax to the rate of another year; undefined when it is not a known rate. */
export function taxOfYear(sekPerKwh: number, listed: number, year: number): number | undefined {
  const rates = listedRates(listed);
  if (sekPerKwh === rates?.full) return ratesOf(year).full;
  return sekPerKwh === rates?.reduced ? ratesOf(year).reduced : undefined;
}

export function isTaxRate(sekPerKwh: number, year: number): boolean {
  const { full, reduced } = ratesOf(year);
  return sekPerKwh === full || sekPerKwh === reduced;
}

/** Decides by the municipality, else by the tariff; without either only SE1 lies entirely in the north. */
function isInTheNorth({ area, municipality, seen }: TaxedPlace): boolean {
  if (municipality !== undefined) {
    return reducedCounties.includes(municipality.slice(0, 2)) || reducedMunicipalities.includes(municipality);
  }
  if (seen.length === 0) return area.code === 'SE1';
  return seen.some(({ year, sekPerKwh }) => sekPerKwh === listedRates(year)?.reduced);
}

// Countries without the euro whose rate the European Central Bank publishes.
const currencies = ['CHF', 'CZK', 'DKK', 'GBP', 'HUF', 'NOK', 'PLN', 'RON', 'SEK', 'TRY'];

/** Returns the currency of a country, whose code begins with that of the country (ISO 4217). */
export const currencyOf = (countryCode: string): string =>
  currencies.find((currency) => currency.startsWith(countryCode)) ?? 'EUR';

export type Vat = { percent: number; source: string };

const vats: Readonly<Record<string, Vat>> = {
  SE: { percent: 25, source: 'Skatteverket' },
  NO: { percent: 25, source: 'Skatteetaten' },
  DK: { percent: 25, source: 'Skattestyrelsen' },
  FI: { percent: 25.5, source: 'Verohallinto' },
};

const northernNorway = 'NO4'; // Nordland, Troms and Finnmark, where households pay no VAT (merverdiavgiftsloven § 6-6)

/** Returns the VAT on electricity, where it is known. The grid operator may have customers that pay another rate. */
export function vatOf(area: Pick<Area, 'code' | 'countryCode'>, ofOperator?: number): Vat | undefined {
  const vat = vats[area.countryCode];
  const percent = ofOperator ?? (area.code === northernNorway ? 0 : undefined);
  return vat && percent !== undefined ? { ...vat, percent } : vat;
}
