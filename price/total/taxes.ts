import { writeTaxRule } from '#contract/price/tariff-rules.ts';
import type { Area } from '../electricity/areas.ts';
import type { Component } from '../tariffs/eltariff.ts';

// Kronor for a kilowatt-hour before VAT. In the north 9.6 öre less (lag 1994:1776 om skatt på energi, 11 kap.).
const swedish: Readonly<Record<number, { full: number; reduced: number }>> = {
  2021: { full: 0.356, reduced: 0.26 },
  2022: { full: 0.36, reduced: 0.264 },
  2023: { full: 0.392, reduced: 0.296 },
  2024: { full: 0.428, reduced: 0.332 },
  2025: { full: 0.439, reduced: 0.343 },
  2026: { full: 0.36, reduced: 0.264 },
};

const knownYears = Object.keys(swedish).map(Number);

// Jämtland, Västerbotten and Norrbotten as a whole, by the first digits of the code of a municipality.
const reducedCounties = ['23', '24', '25'];
const reducedMunicipalities: Readonly<Record<string, string>> = {
  1737: 'Torsby',
  2023: 'Malung-Sälen',
  2034: 'Orsa',
  2039: 'Älvdalen',
  2062: 'Mora',
  2161: 'Ljusdal',
  2260: 'Ånge',
  2283: 'Sollefteå',
  2284: 'Örnsköldsvik',
};

export type EnergyTax = { sekPerKwh: number; source: string; rule: string };

export type TaxedPlace = {
  area: Area;
  year: number;
  municipality: string | undefined;
  /** what a tariff of the place has as energy tax, perhaps of other years */
  seen: readonly { year: number; sekPerKwh: number }[];
};

/** The energy tax of a year; none is known outside of Sweden. */
export function energyTax(place: TaxedPlace): EnergyTax | undefined {
  const { area, year } = place;
  if (area.countryCode !== 'SE') return undefined;
  const known = clamped(year);
  const isReduced = isInTheNorth(place);
  const { full, reduced } = swedish[known]!;
  const rule = writeTaxRule({ year: known, isReduced, ...(known !== year && { unknownYear: year }) });
  return { sekPerKwh: isReduced ? reduced : full, source: 'Skatteverket', rule };
}

const clamped = (year: number): number => Math.min(Math.max(year, knownYears[0]!), knownYears.at(-1)!);

/** Most tariffs list the energy tax among their energy prices. */
export const isTax = ({ reference, name }: Component): boolean =>
  /^tax/i.test(reference) || /skatt|\btax\b/i.test(name);

/** Returns the tax of a year for a price list that has this tax in another; undefined when that one is not a known rate. */
export function taxOfYear(sekPerKwh: number, listed: number, year: number): number | undefined {
  const rates = swedish[listed];
  if (sekPerKwh === rates?.full) return swedish[clamped(year)]!.full;
  return sekPerKwh === rates?.reduced ? swedish[clamped(year)]!.reduced : undefined;
}

/** By the municipality, else by what the tariff of the place says; else only SE1 lies wholly in the north. */
function isInTheNorth({ area, municipality, seen }: TaxedPlace): boolean {
  if (municipality !== undefined) {
    return reducedCounties.includes(municipality.slice(0, 2)) || municipality in reducedMunicipalities;
  }
  if (seen.length === 0) return area.code === 'SE1';
  return seen.some(({ year, sekPerKwh }) => sekPerKwh === swedish[year]?.reduced);
}

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
