import { addDays } from '#contract/time-zone.ts';
import type { Area } from '../electricity/areas.ts';
import type { Interval } from '../tariffs/eltariff.ts';
import { yearOf } from '../tariffs/local-time.ts';
import { energyTax, lastTaxYear } from './taxes.ts';

/** A charge of the state or the transmission system operator on each kilowatt-hour, before VAT. */
export type Levy = {
  kind: 'energy_tax' | 'grid_energy';
  name: string;
  perKwh: number;
  source: string;
  rule: string;
};

type NationalLevy = Pick<Levy, 'kind' | 'name' | 'source'> & {
  /** first days, in order, with the price per kWh in the currency of the country */
  rates: readonly (readonly [from: string, perKwh: number])[];
  /** tax zone of a grid operator whose customers do not pay it */
  exceptIn?: string;
};

type Country = {
  levies: readonly NationalLevy[];
  /** first day on which the rates are not decided or not known */
  unknownFrom: string;
};

/** Finnmark and the north of Troms (forskrift om særavgifter § 3-12-12). */
const northernNorway = 'tiltakssone';

const countries: Readonly<Record<string, Country>> = {
  NO: {
    unknownFrom: '2027-01-01',
    levies: [
      {
        kind: 'energy_tax',
        name: 'Elavgift',
        source: 'Skatteetaten',
        exceptIn: northernNorway,
        rates: [
          ['2025-01-01', 0.0979],
          ['2025-04-01', 0.1693],
          ['2025-10-01', 0.1253],
          ['2026-01-01', 0.0713],
        ],
      },
      { kind: 'energy_tax', name: 'Enova-avgift', source: 'Enova', rates: [['2025-01-01', 0.01]] },
    ],
  },
  DK: {
    unknownFrom: '2027-01-01',
    levies: [
      { kind: 'energy_tax', name: 'Elafgift', source: 'Skattestyrelsen', rates: [['2026-01-01', 0.008]] },
      {
        kind: 'grid_energy',
        name: 'Transmissions- og systemtarif',
        source: 'Energinet',
        rates: [['2026-01-01', 0.115]],
      },
    ],
  },
  FI: {
    unknownFrom: '2027-01-01',
    levies: [
      {
        kind: 'energy_tax',
        name: 'Sähkövero, luokka I',
        source: 'published price comparisons',
        rates: [
          ['2026-01-01', 0.02253],
          ['2026-04-01', 0.02325],
        ],
      },
    ],
  },
};

export type TaxedPlace = {
  area: Area;
  municipality: string | undefined;
  /** tax zone of the grid operator */
  taxZone: string | undefined;
  /** energy taxes that the Swedish tariff lists, possibly of other years */
  seen: readonly { year: number; sekPerKwh: number }[];
};

/** Returns the levies of a day. None are known in most countries. */
export function leviesOn(date: string, { taxZone, ...place }: TaxedPlace): Levy[] {
  const swedish = energyTax({ ...place, year: yearOf(date) });
  if (swedish) {
    const { sekPerKwh: perKwh, source, rule } = swedish;
    return [{ kind: 'energy_tax', name: 'Energy tax', perKwh, source, rule }];
  }
  const country = countries[place.area.countryCode];
  return (country?.levies ?? []).flatMap(({ kind, name, source, rates, exceptIn }) => {
    const [from, perKwh] = rates.findLast(([first]) => first <= date) ?? [];
    if (perKwh === undefined || (exceptIn !== undefined && exceptIn === taxZone)) return [];
    const doubt = country && date >= country.unknownFrom ? ', assumed to still apply' : '';
    return [{ kind, name, perKwh, source, rule: `${name} from ${from}${doubt}` }];
  });
}

/** Lists unknown levies of these days. */
export function levyNotes({ countryCode, country }: Area, { fromIncluding, toExcluding }: Interval): string[] {
  const lastDay = toExcluding > fromIncluding ? addDays(toExcluding, -1) : fromIncluding;
  const assumed = (known: string) =>
    `The energy tax of ${yearOf(lastDay)} is not known; that of ${known} is assumed to still apply.`;
  if (countryCode === 'SE') {
    return lastTaxYear < yearOf(lastDay) ? [assumed(String(lastTaxYear))] : [];
  }
  const found = countries[countryCode];
  if (!found) return [`The energy tax of ${country} is not known and not included.`];
  const first = found.levies.map(({ rates }) => rates[0]?.[0] ?? '').reduce((a, b) => (a > b ? a : b));
  return [
    ...(fromIncluding < first ? [`Energy taxes of ${country} before ${first} are not known and not included.`] : []),
    ...(lastDay >= found.unknownFrom ? [assumed(String(yearOf(found.unknownFrom) - 1))] : []),
  ];
}
