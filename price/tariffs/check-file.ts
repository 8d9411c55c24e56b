import { isValidOn } from '#contract/price/tariff-rules.ts';
import { type Component, componentsOf, type Tariff } from './eltariff.ts';
import { yearsOf } from './local-time.ts';
import { fuseSizesOf } from './power-rules.ts';
import { readProviderFile, type TariffProvider } from './provider.ts';

/** Checks a provider file; throws a Problem that lists every error when the file cannot be used. */
export function checkFile(path: string, text: string, today: string) {
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
    /** valid content that is probably a mistake */
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
  const tariffYears = [...new Set(tariffs.flatMap(({ validPeriod }) => yearsOf(validPeriod).slice(0, maxYears)))];
  for (const { reference, dates = [] } of calendarPatterns) {
    const years = new Set(dates.map((date) => date.slice(0, 4)));
    const unlisted = tariffYears.filter((year) => !years.has(String(year)));
    if (dates.length > 0 && unlisted.length > 0) {
      doubts.push(`The pattern ${reference} has no dates in ${unlisted.join(', ')}, when tariffs are valid.`);
    }
  }
  return doubts;
}

const maxYears = 21; // limits a validity without an end

function tariffWarnings(tariff: Tariff, { calendarPatterns }: TariffProvider): string[] {
  const known = new Set(calendarPatterns.map(({ reference }) => reference));
  const { fromIncluding, toExcluding } = tariff.validPeriod;
  const doubts = fromIncluding < toExcluding ? [] : [`${tariff.name} ends before it begins.`];
  for (const component of componentsOf(tariff)) {
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
