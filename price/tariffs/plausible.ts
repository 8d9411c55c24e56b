import { type Component, componentsOf, type GroupName, groupNames, type Tariff } from './eltariff.ts';
import { lineOf } from './related-lists.ts';

const maxTariffs = 2000;
const maxComponents = 500; // of one tariff
const maxName = 400;
const maxLength = 50_000; // of a component as JSON
const maxFactor = 20; // a change of the unit, such as öre for kronor, is a factor of 100

// Prices before VAT in SEK: per kWh, per kW, and per period of a fixed price. The largest known are 0.9, 1100 and 400 000.
const limits: Readonly<Record<GroupName, readonly [lowest: number, highest: number]>> = {
  energyPrice: [-1, 5],
  powerPrice: [0, 10_000],
  fixedPrice: [0, 5_000_000],
};

/** Lists what makes the lists of an operator implausible, compared with those known before; nothing when they can be used. */
export function implausibilities(tariffs: readonly Tariff[], known: readonly Tariff[], today: string): string[] {
  if (tariffs.length === 0) return ['It has no tariffs.'];
  if (tariffs.length > maxTariffs) return [`There are more than ${maxTariffs} tariffs.`];
  const errors = tariffs.flatMap((tariff) => errorsOf(tariff).map((error) => `${tariff.name.slice(0, 80)}: ${error}`));
  if (!tariffs.some(({ validPeriod }) => validPeriod.toExcluding > today)) errors.push('All tariffs have expired.');
  const byLine = new Map(known.map((tariff) => [lineOf(tariff), tariff]));
  for (const tariff of tariffs) {
    const before = byLine.get(lineOf(tariff));
    const group = before && groupNames.find((name) => isFar(highestOf(tariff, name), highestOf(before, name)));
    if (group) errors.push(`${tariff.name.slice(0, 80)}: ${group} changed by more than a factor of ${maxFactor}`);
  }
  return errors;
}

function errorsOf(tariff: Tariff): string[] {
  const { fromIncluding, toExcluding } = tariff.validPeriod;
  const errors: string[] = [];
  if (!(fromIncluding < toExcluding)) errors.push('ends before it begins');
  if (tariff.name.length + tariff.product.length > maxName)
    errors.push(`has a name of more than ${maxName} characters`);
  if (!isDay(fromIncluding) || !isDay(toExcluding)) errors.push('has an invalid date');
  if (componentsOf(tariff).length > maxComponents) return [...errors, `has more than ${maxComponents} prices`];
  for (const group of groupNames) {
    for (const component of tariff[group].components) {
      const error = JSON.stringify(component).length > maxLength ? 'is too long' : priceError(component, limits[group]);
      if (error) errors.push(`${component.name.slice(0, 80)} ${error}`);
    }
  }
  return errors;
}

function priceError({ price }: Component, [lowest, highest]: readonly [number, number]): string | undefined {
  if (!price) return undefined;
  const { priceExVat, priceIncVat, currency } = price;
  if (currency !== 'SEK') return `is in ${currency.slice(0, 10)}`;
  if (!(priceExVat >= lowest && priceExVat <= highest)) return `has an implausible price of ${priceExVat}`;
  const [low, high] = [priceExVat, priceExVat * 1.5].sort((one, other) => one - other);
  const margin = 0.01; // prices are rounded
  if (priceIncVat < low! - margin || priceIncVat > high! + margin)
    return `costs ${priceIncVat} with VAT and ${priceExVat} without`;
  return undefined;
}

const isDay = (date: string): boolean => !Number.isNaN(Date.parse(date));

const highestOf = (tariff: Tariff, group: GroupName): number =>
  Math.max(0, ...tariff[group].components.map(({ price }) => price?.priceExVat ?? 0));

const isFar = (one: number, other: number): boolean =>
  one > 0 && other > 0 && (one / other > maxFactor || other / one > maxFactor);
