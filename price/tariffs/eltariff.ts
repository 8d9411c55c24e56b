import { type Component, type Tariff, TariffCollection } from '#contract/price/eltariff.ts';
import { type FieldError, fieldsProblem, type Problem } from '#contract/problem.ts';
import { isTimeZone } from '#contract/time-zone.ts';
import { fieldErrors, validator } from '#lib/http/validate.ts';
import { isObject } from '#lib/json.ts';

export type {
  CalendarPattern,
  CapacitySteps,
  Component,
  RecurringPeriod,
  Tariff,
  TariffCollection,
} from '#contract/price/eltariff.ts';
export type { Interval } from '#contract/price/interval.ts';

export const groupNames = ['fixedPrice', 'energyPrice', 'powerPrice'] as const;
export type GroupName = (typeof groupNames)[number];

export const componentsOf = (tariff: Tariff): Component[] => groupNames.flatMap((group) => tariff[group].components);

const check = validator(TariffCollection, 'body', 'ignore');

export const fileProblem = (errors: FieldError[]): Problem => fieldsProblem('unprocessable', errors);

/** Reads a collection of version 0.2.0 or 0.3.x and returns it as 0.2.0. */
export function readEltariff(value: unknown): TariffCollection {
  const collection: unknown = normalizeCollection(value);
  if (!check(collection)) throw fileProblem(fieldErrors('file', check.errors ?? []));
  const errors = contradictions(collection);
  if (errors.length > 0) throw fileProblem(errors);
  return collection;
}

/** Finds errors that a schema cannot express. */
function contradictions({ tariffs }: TariffCollection): FieldError[] {
  const errors: FieldError[] = [];
  const ids = new Set<string>();
  for (const [index, { id, timeZone }] of tariffs.entries()) {
    const path = `file.tariffs.${index}`;
    if (ids.has(id)) errors.push({ path: `${path}.id`, message: 'is used by another tariff' });
    ids.add(id);
    if (!isTimeZone(timeZone)) errors.push({ path: `${path}.timeZone`, message: 'is not a time zone' });
  }
  return errors;
}

export type JsonObject = Record<string, unknown>;

export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Some operators write an empty object for an absent price. */
const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** Picks the members that are present; later versions write null for absent ones. */
const pick = (value: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.filter((name) => value[name] != null && !isEmpty(value[name])).map((name) => [name, value[name]]),
  );

const openStart = '1900-01-01';
const openEnd = '2999-12-31';

/** The defaults of each group, other names of its component type, and the members that only its components have. */
const groupForms: Record<GroupName, [costFunction: string, unit: string, type: string, alias: string, own: string[]]> =
  {
    fixedPrice: ['sum(price(c))', '', 'public', 'fixed', ['pricedPeriod']],
    energyPrice: ['sum(energy(c)*price(c))', 'kWh', 'fixed', 'kwh', ['spotPriceSettings']],
    powerPrice: ['sum(peak(c)*price(c))', 'kW', 'peak', 'kw|fixed', ['peakIdentificationSettings', 'url']],
  };

/**
 * Converts versions 0.2.0 to 0.3.2 to the members of 0.2.0. They differ in the place of the unit (group or component), the
 * member that names a calendar pattern, whether times have an offset, and whether absent members are null.
 */
function normalizeCollection(value: unknown): JsonObject {
  const { tariffs, calendarPatterns } = asObject(value);
  return {
    tariffs: Array.isArray(tariffs) ? tariffs.map((tariff) => normalizeTariff(asObject(tariff))) : tariffs,
    calendarPatterns: asArray(calendarPatterns).map((pattern) => normalizePattern(asObject(pattern))),
  };
}

function normalizePattern(pattern: JsonObject): JsonObject {
  const dates = asArray(pattern.dates);
  return {
    reference: pattern.reference ?? pattern.name ?? pattern.id,
    frequency: pattern.frequency ?? (dates.length > 0 ? 'P1Y' : 'P1W'),
    days: asArray(pattern.days),
    dates,
  };
}

function normalizeTariff(tariff: JsonObject): JsonObject {
  return {
    ...pick(tariff, ['id', 'name', 'description', 'timeZone', 'companyName', 'capacitySteps']),
    validPeriod: normalizeInterval(tariff.validPeriod),
    lastUpdated: withoutOffset(tariff.lastUpdated ?? tariff.published),
    companyOrgNo: tariff.companyOrgNo ?? '',
    product: tariff.product ?? tariff.name,
    direction: tariff.direction ?? 'consumption',
    billingPeriod: tariff.billingPeriod ?? 'P1M',
    ...Object.fromEntries(groupNames.map((group) => [group, normalizeGroup(tariff, group)])),
  };
}

function normalizeInterval(value: unknown): JsonObject {
  const { fromIncluding, toExcluding } = asObject(value);
  return { fromIncluding: fromIncluding ?? openStart, toExcluding: toExcluding ?? openEnd };
}

/** Drops the offset: operators write their own local time. */
const withoutOffset = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/, '') : value;

/** Normalizes a group; a missing group has no components. */
function normalizeGroup(tariff: JsonObject, name: GroupName): JsonObject {
  const [costFunction, unit] = groupForms[name];
  const given = asObject(tariff[name] ?? { id: tariff.id, name });
  const components = asArray(given.components).map(asObject);
  const itsUnit = given.unit ?? components.find((component) => component.unit != null)?.unit ?? unit;
  return {
    ...pick(given, ['id', 'name', 'description']),
    costFunction: given.costFunction ?? costFunction,
    ...(name !== 'fixedPrice' && { unit: itsUnit }),
    components: components.map((component) => normalizeComponent(component, name)),
  };
}

function normalizeComponent(component: JsonObject, group: GroupName): JsonObject {
  const [, , type, alias, members] = groupForms[group];
  const given = component.type;
  return {
    ...pick(component, ['id', 'name', 'description', 'price', ...members]),
    type: given == null || (typeof given === 'string' && alias.split('|').includes(given.toLowerCase())) ? type : given,
    reference: component.reference ?? 'main',
    validPeriod: normalizeInterval(component.validPeriod),
    ...(group !== 'fixedPrice' && {
      recurringPeriods: asArray(component.recurringPeriods).map((period) => normalizePeriod(asObject(period))),
    }),
  };
}

function normalizePeriod(period: JsonObject): JsonObject {
  return {
    reference: period.reference ?? 'main',
    frequency: period.frequency ?? 'P1D',
    activePeriods: asArray(period.activePeriods)
      .map(asObject)
      .map(({ fromIncluding, toExcluding, calendarPatternReferences }) => ({
        fromIncluding: normalizeTime(fromIncluding),
        toExcluding: normalizeEnd(toExcluding),
        calendarPatternReferences: {
          include: asArray(asObject(calendarPatternReferences).include),
          exclude: asArray(asObject(calendarPatternReferences).exclude),
        },
      })),
  };
}

/** The standard writes midnight at the end of a day as 00:00:00, with seconds. */
function normalizeTime(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? '00:00:00';
  const full = /^\d\d:\d\d$/.test(value) ? `${value}:00` : value;
  return full === '24:00:00' ? '00:00:00' : full;
}

/** Some operators write 23:59 for the end of the day although the end is exclusive. */
function normalizeEnd(value: unknown): unknown {
  const time = normalizeTime(value);
  return time === '23:59:00' || time === '23:59:59' ? '00:00:00' : time;
}
