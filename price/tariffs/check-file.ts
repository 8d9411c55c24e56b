import { isValidOn } from '#contract/price/tariff-rules.ts';
import type { Component, Tariff } from './eltariff.ts';
import { fuseSizesOf } from './power-rules.ts';
import type { TariffProvider } from './provider.ts';
import { readProviderFile } from './provider.ts';

export type FileReport = {
  provider: TariffProvider;
  /** one line for each tariff */
  summary: { name: string; valid: string; fuses: string; fixed: number; energy: number; power: number }[];
  /** valid content that is probably a mistake */
  warnings: string[];
};

const groups = ['fixedPrice', 'energyPrice', 'powerPrice'] as const;

/** Checks a provider file; throws a Problem that lists every error when the file cannot be used. */
export function checkFile(path: string, text: string, today: string): FileReport {
  const provider = readProviderFile(path, text);
  return {
    provider,
    summary: provider.tariffs.map((tariff) => ({
      name: tariff.name,
      valid: `${tariff.validPeriod.fromIncluding}/${tariff.validPeriod.toExcluding}`,
      fuses: fuseSizesOf(tariff).join(' '),
      fixed: tariff.fixedPrice.components.length,
      energy: tariff.energyPrice.components.length,
      power: tariff.powerPrice.components.length,
    })),
    warnings: [
      ...providerWarnings(provider, today),
      ...provider.tariffs.flatMap((tariff) => tariffWarnings(tariff, provider)),
    ],
  };
}

function providerWarnings({ tariffs, calendarPatterns }: TariffProvider, today: string): string[] {
  const doubts = tariffs.some(({ validPeriod }) => isValidOn(validPeriod, today))
    ? []
    : [`No tariff is valid on ${today}.`];
  for (const { reference, dates = [] } of calendarPatterns) {
    const years = new Set(dates.map((date) => date.slice(0, 4)));
    const unlisted = yearsOf(tariffs).filter((year) => !years.has(year));
    if (dates.length > 0 && unlisted.length > 0) {
      doubts.push(`The pattern ${reference} has no dates in ${unlisted.join(', ')}, when tariffs are valid.`);
    }
  }
  return doubts;
}

const maxYears = 20; // limits a validity without an end

function yearsOf(tariffs: readonly Tariff[]): string[] {
  const years = new Set<string>();
  for (const { validPeriod } of tariffs) {
    const first = Number(validPeriod.fromIncluding.slice(0, 4));
    const last = new Date(Date.parse(validPeriod.toExcluding) - 1).getUTCFullYear();
    for (let year = first; year <= Math.min(last, first + maxYears); year++) years.add(String(year));
  }
  return [...years];
}

function tariffWarnings(tariff: Tariff, { calendarPatterns }: TariffProvider): string[] {
  const known = new Set(calendarPatterns.map(({ reference }) => reference));
  const { fromIncluding, toExcluding } = tariff.validPeriod;
  const doubts = fromIncluding < toExcluding ? [] : [`${tariff.name} ends before it begins.`];
  for (const component of groups.flatMap((group) => tariff[group].components)) {
    const where = `${tariff.name}, ${component.name} (${component.reference})`;
    const unknown = referencesOf(component).filter((reference) => !known.has(reference));
    if (unknown.length > 0) doubts.push(`${where} refers to ${unknown.join(', ')}, which is not a calendar pattern.`);
    if (!component.price && !component.spotPriceSettings && !component.url) doubts.push(`${where} has no price.`);
    const { price } = component;
    if (price && price.priceIncVat < price.priceExVat) doubts.push(`${where} costs less with VAT than without.`);
    if (component.validPeriod.fromIncluding < fromIncluding || component.validPeriod.toExcluding > toExcluding) {
      doubts.push(`${where} is valid for longer than its tariff.`);
    }
  }
  return doubts;
}

const referencesOf = ({ recurringPeriods = [] }: Component): string[] => [
  ...new Set(
    recurringPeriods
      .flatMap(({ activePeriods }) => activePeriods)
      .flatMap(({ calendarPatternReferences: { include, exclude } }) => [...include, ...exclude]),
  ),
];
