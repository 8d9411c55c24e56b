import { isDeepStrictEqual } from 'node:util';
import { type CalendarPattern, type Component, groupNames, type Interval, type Tariff } from './eltariff.ts';
import type { ListSource } from './price-list.ts';
import type { TariffProvider } from './provider.ts';
import { lineOf } from './related-lists.ts';

/** Adds the lists that an operator published later. They replace lists of the same product in the same period. */
export function mergeLists(known: TariffProvider, update: TariffProvider): TariffProvider {
  const { patterns, tariffs: added } = withOwnPatterns(update, known.calendarPatterns);
  const aliases = new Map<string, string>();
  const kept = known.tariffs.flatMap((tariff) => {
    const later = added.find((other) => other.id === tariff.id || (isSame(other, tariff) && overlap(other, tariff)));
    if (!later) return [tariff];
    const validPeriod = remainderOf(tariff.validPeriod, later.validPeriod);
    if (validPeriod && later.id !== tariff.id) return [{ ...tariff, validPeriod }];
    aliases.set(tariff.id, later.id);
    return [];
  });
  const renamed = (id: string): string => aliases.get(id) ?? id;
  const official: ListSource = update.source ?? { from: [update.name], confidence: 'official' };
  return {
    ...known,
    tariffs: [...kept, ...added],
    calendarPatterns: [...known.calendarPatterns, ...patterns],
    aliases,
    areas: new Map([...(known.areas ?? [])].map(([id, area]) => [renamed(id), area])),
    follows: new Map([...(known.follows ?? [])].map(([id, ids]) => [renamed(id), ids.map(renamed)])),
    sources: new Map([...(known.sources ?? []), ...added.map(({ id }) => [id, official] as const)]),
  };
}

/** Compares products; a renamed tariff of a product with one tariff is the same. */
const isSame = (one: Tariff, other: Tariff): boolean =>
  lineOf(one) === lineOf(other) || (one.product === other.product && isCodeLike(one.product));

/** Tells whether a product is the code of a single tariff rather than a description of several. */
const isCodeLike = (product: string): boolean => /\d/.test(product) && !/\s/.test(product);

const overlap = ({ validPeriod: one }: Tariff, { validPeriod: other }: Tariff): boolean =>
  one.fromIncluding < other.toExcluding && other.fromIncluding < one.toExcluding;

/** Returns the part of a period before or after another one; undefined when nothing is left. */
function remainderOf(period: Interval, taken: Interval): Interval | undefined {
  if (period.fromIncluding < taken.fromIncluding) return { ...period, toExcluding: taken.fromIncluding };
  return taken.toExcluding < period.toExcluding ? { ...period, fromIncluding: taken.toExcluding } : undefined;
}

/** Renames the patterns of a list that have the name, but not the days, of known ones. */
function withOwnPatterns({ calendarPatterns, tariffs }: TariffProvider, known: readonly CalendarPattern[]) {
  const names = new Map<string, string>();
  const patterns: CalendarPattern[] = [];
  for (const pattern of calendarPatterns) {
    const same = known.find(({ reference }) => reference === pattern.reference);
    if (isDeepStrictEqual(same, pattern)) continue;
    const reference = same ? `${pattern.reference}_published` : pattern.reference;
    names.set(pattern.reference, reference);
    patterns.push({ ...pattern, reference });
  }
  const rename = (references: string[]): string[] => references.map((reference) => names.get(reference) ?? reference);
  const renamedIn = (component: Component): Component =>
    component.recurringPeriods
      ? {
          ...component,
          recurringPeriods: component.recurringPeriods.map((period) => ({
            ...period,
            activePeriods: period.activePeriods.map(({ calendarPatternReferences: { include, exclude }, ...slot }) => ({
              ...slot,
              calendarPatternReferences: { include: rename(include), exclude: rename(exclude) },
            })),
          })),
        }
      : component;
  const withNames = (tariff: Tariff): Tariff => {
    const changed = { ...tariff };
    for (const name of groupNames)
      changed[name] = { ...tariff[name], components: tariff[name].components.map(renamedIn) };
    return changed;
  };
  return { patterns, tariffs: tariffs.map(withNames) };
}
