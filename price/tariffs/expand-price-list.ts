import {
  type CalendarPattern,
  type Component,
  fileProblem,
  type PriceGroup,
  type RecurringPeriod,
  type Tariff,
  type TariffCollection,
} from './eltariff.ts';
import type { Group, ListPart, PriceList } from './price-list.ts';
import { type HolidayKind, holidayDates } from './swedish-holidays.ts';

type GroupKind = 'fixed' | 'energy' | 'power';

const usual = {
  fixed: { type: 'public', costFunction: 'sum(price(c))', unit: undefined },
  energy: { type: 'fixed', costFunction: 'sum(energy(c)*price(c))', unit: 'kWh' },
  power: { type: 'peak', costFunction: 'sum(peak(c)*price(c))', unit: 'kW' },
} as const;

const currency = 'SEK';

const intervalOf = (span: string) => ({ fromIncluding: span.slice(0, 10), toExcluding: span.slice(11) });

/** The same in the form of the standard. */
export function expandPriceList(list: PriceList): TariffCollection {
  return { tariffs: list.tariffs.map((tariff) => tariffOf(tariff, list)), calendarPatterns: patternsOf(list) };
}

function tariffOf(tariff: PriceList['tariffs'][number], list: PriceList): Tariff {
  const { id, name, description, product, valid, updated, billed = 'P1M' } = tariff;
  const group = (kind: GroupKind): PriceGroup => groupOf(tariff[kind], kind, valid, list);
  return {
    id,
    name,
    ...(description && { description }),
    validPeriod: intervalOf(valid),
    timeZone: 'Europe/Stockholm',
    lastUpdated: updated,
    companyName: list.provider.name,
    companyOrgNo: list.provider.companyOrgNo,
    product,
    direction: 'consumption',
    billingPeriod: billed,
    fixedPrice: group('fixed'),
    energyPrice: group('energy'),
    powerPrice: group('power'),
  };
}

function groupOf(group: Group, kind: GroupKind, valid: string, { groups, shared }: PriceList): PriceGroup {
  const { name, description } = group.name === undefined ? groups[kind] : group;
  const { costFunction, unit } = usual[kind];
  const components = Object.entries(group.parts).map(([id, given]) => {
    const part = typeof given === 'string' ? shared[given] : given;
    if (!part)
      throw fileProblem([
        { path: `file.tariffs.${kind}.parts.${id}`, message: `names no shared part: ${JSON.stringify(given)}` },
      ]);
    return componentOf(id, part, kind, valid);
  });
  return {
    id: group.id,
    name: name!,
    ...(description && { description }),
    costFunction,
    ...(unit && { unit }),
    components,
  };
}

function componentOf(id: string, part: ListPart, kind: GroupKind, valid: string): Component {
  const { name, description, type = usual[kind].type, reference = 'main', price, per, spot, peak } = part;
  return {
    id,
    name,
    ...(description && { description }),
    type,
    reference,
    validPeriod: intervalOf(part.valid ?? valid),
    ...(price && { price: { priceExVat: price[0]!, priceIncVat: price[1]!, currency } }),
    ...(per && { pricedPeriod: per }),
    ...(spot !== undefined && { spotPriceSettings: { multiplier: spot, currency } }),
    ...(peak && {
      peakIdentificationSettings: {
        peakFunction: peak.function,
        peakIdentificationPeriod: peak.one_per,
        peakDuration: peak.over,
        numberOfPeaksForAverageCalculation: peak.mean_of,
      },
    }),
    ...(kind !== 'fixed' && { recurringPeriods: Object.entries(part.when ?? {}).map(recurringPeriodOf) }),
  };
}

function recurringPeriodOf([reference, slots]: [string, string[]]): RecurringPeriod {
  const activePeriods = slots.map((slot) => {
    const [included = '', excluded = ''] = slot.slice(12).split(/ ?except /);
    return {
      fromIncluding: `${slot.slice(0, 5)}:00`,
      toExcluding: `${slot.slice(6, 11).replace('24:00', '00:00')}:00`,
      calendarPatternReferences: { include: namesIn(included), exclude: namesIn(excluded) },
    };
  });
  return { reference, frequency: 'P1D', activePeriods };
}

const namesIn = (text: string): string[] => text.split(' ').filter(Boolean);

/** Holidays are listed for every year that a tariff touches. */
function patternsOf({ calendar, tariffs }: PriceList): CalendarPattern[] {
  const spans = tariffs.map(({ valid }) => intervalOf(valid));
  const first = Math.min(...spans.map(({ fromIncluding }) => Number(fromIncluding.slice(0, 4))));
  const last = Math.max(...spans.map(({ toExcluding }) => new Date(Date.parse(toExcluding) - 1).getUTCFullYear()));
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return Object.entries(calendar).map(([reference, days]) =>
    typeof days[0] === 'string'
      ? {
          reference,
          frequency: 'P1Y',
          days: [],
          dates: years.flatMap((year) => holidayDates(year, days as HolidayKind[])),
        }
      : { reference, frequency: 'P1W', days: days as number[], dates: [] },
  );
}
