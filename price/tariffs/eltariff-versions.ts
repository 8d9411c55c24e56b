/** JSON that has not been checked yet. */
export type Loose = Record<string, unknown>;

export const looseOf = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The named members that are there; later versions write null for absent ones. */
const pick = (value: Loose, names: readonly string[]): Loose =>
  Object.fromEntries(names.filter((name) => value[name] != null).map((name) => [name, value[name]]));

const openStart = '1900-01-01';
const openEnd = '2999-12-31';

const groups = {
  fixedPrice: { costFunction: 'sum(price(c))', unit: undefined, type: 'public', alias: 'fixed' },
  energyPrice: { costFunction: 'sum(energy(c)*price(c))', unit: 'kWh', type: 'fixed', alias: 'kwh' },
  powerPrice: { costFunction: 'sum(peak(c)*price(c))', unit: 'kW', type: 'peak', alias: 'kw' },
} as const;
type GroupName = keyof typeof groups;

/**
 * Versions 0.2.0 to 0.3.2 in the members of 0.2.0. They differ in where the unit stands (group or component), what the
 * name of a calendar pattern is called, whether times carry an offset, and whether an absent member is null.
 */
export function usualCollection(value: unknown): Loose {
  const { tariffs, calendarPatterns } = looseOf(value);
  return {
    tariffs: Array.isArray(tariffs) ? tariffs.map((tariff) => usualTariff(looseOf(tariff))) : tariffs,
    calendarPatterns: listOf(calendarPatterns).map((pattern) => usualPattern(looseOf(pattern))),
  };
}

function usualPattern(pattern: Loose): Loose {
  const dates = listOf(pattern.dates);
  return {
    reference: pattern.reference ?? pattern.name ?? pattern.id,
    frequency: pattern.frequency ?? (dates.length > 0 ? 'P1Y' : 'P1W'),
    days: listOf(pattern.days),
    dates,
  };
}

function usualTariff(tariff: Loose): Loose {
  return {
    ...pick(tariff, ['id', 'name', 'description', 'timeZone', 'companyName']),
    validPeriod: usualInterval(tariff.validPeriod),
    lastUpdated: withoutOffset(tariff.lastUpdated ?? tariff.published),
    companyOrgNo: tariff.companyOrgNo ?? '',
    product: tariff.product ?? tariff.name,
    direction: tariff.direction ?? 'consumption',
    billingPeriod: tariff.billingPeriod ?? 'P1M',
    fixedPrice: usualGroup(tariff, 'fixedPrice'),
    energyPrice: usualGroup(tariff, 'energyPrice'),
    powerPrice: usualGroup(tariff, 'powerPrice'),
  };
}

function usualInterval(value: unknown): Loose {
  const { fromIncluding, toExcluding } = looseOf(value);
  return { fromIncluding: fromIncluding ?? openStart, toExcluding: toExcluding ?? openEnd };
}

/** The local time of an offset is what is wanted: the operator writes its own. */
const withoutOffset = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/, '') : value;

/** A group that is left out has no components. */
function usualGroup(tariff: Loose, name: GroupName): Loose {
  const { costFunction, unit } = groups[name];
  const given = looseOf(tariff[name] ?? { id: tariff.id, name });
  const components = listOf(given.components).map(looseOf);
  const itsUnit = given.unit ?? components.find((component) => component.unit != null)?.unit ?? unit;
  return {
    ...pick(given, ['id', 'name', 'description']),
    costFunction: given.costFunction ?? costFunction,
    ...(name !== 'fixedPrice' && { unit: itsUnit }),
    components: components.map((component) => usualComponent(component, name)),
  };
}

const sharedMembers = ['id', 'name', 'description', 'price'];
const ownMembers: Record<GroupName, readonly string[]> = {
  fixedPrice: ['pricedPeriod'],
  energyPrice: ['spotPriceSettings'],
  powerPrice: ['peakIdentificationSettings', 'url'],
};

function usualComponent(component: Loose, group: GroupName): Loose {
  const { type, alias } = groups[group];
  const given = component.type;
  return {
    ...pick(component, [...sharedMembers, ...ownMembers[group]]),
    type: given == null || (typeof given === 'string' && given.toLowerCase() === alias) ? type : given,
    reference: component.reference ?? 'main',
    validPeriod: usualInterval(component.validPeriod),
    ...(group !== 'fixedPrice' && {
      recurringPeriods: listOf(component.recurringPeriods).map((period) => usualPeriod(looseOf(period))),
    }),
  };
}

function usualPeriod(period: Loose): Loose {
  return {
    reference: period.reference ?? 'main',
    frequency: period.frequency ?? 'P1D',
    activePeriods: listOf(period.activePeriods)
      .map(looseOf)
      .map(({ fromIncluding, toExcluding, calendarPatternReferences }) => ({
        fromIncluding: usualTime(fromIncluding),
        toExcluding: usualEnd(toExcluding),
        calendarPatternReferences: {
          include: listOf(looseOf(calendarPatternReferences).include),
          exclude: listOf(looseOf(calendarPatternReferences).exclude),
        },
      })),
  };
}

/** Midnight at the end of a day is 00:00:00 in the standard, and seconds are written. */
function usualTime(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? '00:00:00';
  const full = /^\d\d:\d\d$/.test(value) ? `${value}:00` : value;
  return full === '24:00:00' ? '00:00:00' : full;
}

/** Some name the last minute or second of the day, as if it were included; nobody means to leave it out. */
function usualEnd(value: unknown): unknown {
  const time = usualTime(value);
  return time === '23:59:00' || time === '23:59:59' ? '00:00:00' : time;
}
