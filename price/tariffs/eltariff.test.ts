import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#contract/problem.ts';
import { readEltariff } from './eltariff.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const valid = { fromIncluding: '2026-01-01', toExcluding: '2027-01-01' };
const price = { priceExVat: 8, priceIncVat: 10, currency: 'SEK' };

const usual = {
  tariffs: [
    {
      id: uuid(1),
      name: 'Villa 16 A',
      validPeriod: valid,
      timeZone: 'Europe/Stockholm',
      lastUpdated: '2025-12-01T12:00:00',
      companyName: 'Nät AB',
      companyOrgNo: '556000-0000',
      product: 'V16',
      direction: 'consumption',
      billingPeriod: 'P1M',
      fixedPrice: {
        id: uuid(2),
        name: 'Fast',
        costFunction: 'sum(price(c))',
        components: [
          {
            id: uuid(3),
            name: 'Avgift',
            price,
            type: 'public',
            reference: 'main',
            validPeriod: valid,
            pricedPeriod: 'P1M',
          },
        ],
      },
      energyPrice: {
        id: uuid(4),
        name: 'Energi',
        costFunction: 'sum(energy(c)*price(c))',
        unit: 'kWh',
        components: [
          {
            id: uuid(5),
            name: 'Överföring',
            price,
            type: 'fixed',
            reference: 'main',
            validPeriod: valid,
            recurringPeriods: [],
          },
        ],
      },
      powerPrice: {
        id: uuid(6),
        name: 'Effekt',
        costFunction: 'sum(peak(c)*price(c))',
        unit: 'kW',
        components: [
          {
            id: uuid(7),
            name: 'Topp',
            price,
            type: 'peak',
            reference: 'high',
            validPeriod: valid,
            recurringPeriods: [
              {
                reference: 'main',
                frequency: 'P1D',
                activePeriods: [
                  {
                    fromIncluding: '07:00:00',
                    toExcluding: '00:00:00',
                    calendarPatternReferences: { include: ['weekdays'], exclude: [] },
                  },
                ],
              },
            ],
          },
        ],
      },
    },
  ],
  calendarPatterns: [{ reference: 'weekdays', frequency: 'P1W', days: [1, 2, 3, 4, 5], dates: [] }],
};

type Json = Record<string, never>;

/** Returns the usual collection with a changed tariff, pattern or component. */
function changed(change: (tariff: Json, patterns: Json[], parts: Record<string, Json>) => void): unknown {
  const copy = structuredClone(usual) as never as { tariffs: Json[]; calendarPatterns: Json[] };
  const tariff = copy.tariffs[0] as never as Record<string, { components: Json[] }>;
  change(tariff as never, copy.calendarPatterns, {
    fixed: tariff.fixedPrice!.components[0]!,
    energy: tariff.energyPrice!.components[0]!,
    power: tariff.powerPrice!.components[0]!,
  });
  return copy;
}

const set = (object: unknown, members: object, ...gone: string[]): void => {
  Object.assign(object as object, members);
  for (const name of gone) delete (object as Record<string, unknown>)[name];
};

test('version 0.2.0 is read unchanged', () => assert.deepEqual(readEltariff(usual), usual));

for (const [says, collection] of [
  [
    'the unit may be in the component',
    changed((tariff, _, { energy, power }) => {
      set(tariff.energyPrice, {}, 'unit');
      set(tariff.powerPrice, {}, 'unit');
      set(energy, { unit: 'kWh' });
      set(power, { unit: 'kW' });
    }),
  ],
  [
    'a pattern may have a name instead of a reference',
    changed((_, [first]) => set(first, { name: 'weekdays' }, 'reference')),
  ],
  [
    'a pattern may have an id instead of a reference',
    changed((_, [first]) => set(first, { id: 'weekdays' }, 'reference', 'frequency', 'dates')),
  ],
  [
    'lastUpdated may be called published',
    changed((tariff) => set(tariff, { published: '2025-12-01T12:00:00+01:00' }, 'lastUpdated')),
  ],
  ['times may have an offset', changed((tariff) => set(tariff, { lastUpdated: '2025-12-01T12:00:00.000Z' }))],
  [
    'null counts as absent',
    changed((tariff, _, { fixed, energy, power }) => {
      set(tariff, { description: null });
      set(fixed, { description: null, url: null });
      set(energy, { spotPriceSettings: null, recurringPeriods: null });
      set(power, { description: null, url: null, peakIdentificationSettings: null });
    }),
  ],
  [
    'types may have other names',
    changed((_tariff, _patterns, { fixed, energy }) => {
      set(fixed, { type: 'fixed' });
      set(energy, { type: 'kWh' });
    }),
  ],
  ['defaults may be omitted', changed((tariff) => set(tariff, {}, 'direction', 'billingPeriod'))],
  [
    'unknown members are ignored',
    changed((tariff, _, { power }) => {
      set(tariff, { taxRegion: 'N' });
      set(power, { colour: 'red' });
    }),
  ],
] as const) {
  test(`${says}, as in version 0.3`, () => assert.deepEqual(readEltariff(collection), usual));
}

test('a validity without an end is open-ended', () => {
  const { tariffs } = readEltariff(
    changed((tariff) => set(tariff, { validPeriod: { fromIncluding: '2026-01-01', toExcluding: null } })),
  );
  assert.deepEqual(tariffs[0]!.validPeriod, { fromIncluding: '2026-01-01', toExcluding: '2999-12-31' });
});

test('a missing group has no components', () => {
  const { tariffs } = readEltariff(changed((tariff) => set(tariff, { powerPrice: null })));
  assert.deepEqual(tariffs[0]!.powerPrice.components, []);
});

for (const toExcluding of ['24:00', '24:00:00', '23:59', '23:59:00', '23:59:59']) {
  test(`the end of a day may be written ${toExcluding}`, () => {
    const { tariffs } = readEltariff(
      changed((_tariff, _patterns, { power }) => {
        const [period] = power!.recurringPeriods as never as { activePeriods: object[] }[];
        set(period!.activePeriods[0], { fromIncluding: '07:00', toExcluding });
      }),
    );
    assert.deepEqual(tariffs, usual.tariffs);
  });
}

for (const [says, collection, where] of [
  ['no tariffs', {}, 'file.tariffs'],
  ['nothing', null, 'file.tariffs'],
  ['a tariff without an id', changed((tariff) => set(tariff, {}, 'id')), 'file.tariffs.0.id'],
  ['an unknown time zone', changed((tariff) => set(tariff, { timeZone: 'Mars/Olympus' })), 'file.tariffs.0.timeZone'],
  [
    'a price that is text',
    changed((_tariff, _patterns, { power }) => set(power, { price: { ...price, priceExVat: '8' } })),
    'file.tariffs.0.powerPrice.components.0.price.priceExVat',
  ],
  ['an unknown day of the week', changed((_, [first]) => set(first, { days: [0] })), 'file.calendarPatterns.0.days.0'],
] as const) {
  test(`${says} is reported with its location`, () => {
    assert.throws(
      () => readEltariff(collection),
      (error) => error instanceof Problem && error.details.errors?.[0]?.path === where,
    );
  });
}
