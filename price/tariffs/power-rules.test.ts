import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isValidOn } from '#contract/price/tariff-rules.ts';
import { Problem } from '#contract/problem.ts';
import { hourMs } from '#contract/time.ts';
import { someOf } from '#test/amount.ts';
import { localTimeAt } from './local-time.ts';
import { appliedRules, fuseSizesIn, fuseSizesOf, powerRulesOf } from './power-rules.ts';
import { readShipped } from './testing/tariffs.ts';

const book = (await readShipped()).book();
const provider = (id: string) => book.findProvider(id)!;
const date = '2026-11-16';
const inMarch = '2026-03-15'; // before Ellevio ended its power fee
const allYear = { start_month: 1, end_month: 12 };

test('Karlstad: a price at all hours and an additional one on winter days', () => {
  const record = powerRulesOf(provider('karlstads_elnat'), { date })!;
  const told = Object.entries(record.pricing_rules).map(([name, { description: _, ...rule }]) => ({ name, ...rule }));
  assert.deepEqual(told, [
    {
      name: 'base',
      season: allYear,
      time_range: { start: '00:00', end: '24:00' },
      days: 'all_days',
      price_per_kw: 43.55,
    },
    {
      name: 'high',
      season: { start_month: 11, end_month: 3 },
      time_range: { start: '06:00', end: '18:00' },
      days: 'weekdays_non_holidays',
      price_per_kw: 74.15,
    },
  ]);
  assert.deepEqual(record.fuse_sizes.slice(0, 6), ['16A', '20A', '25A', '35A', '50A', '63A']);
  assert.deepEqual([record.num_peaks, record.country, record.currency], [1, 'SE', 'SEK']);
  assert.ok(record.holidays.includes('2025-04-17'), 'Maundy Thursday');
});

test('Karlstad: Maundy Thursday is exempt even in years that its list does not contain', () => {
  const highOn = (day: string) => {
    const record = powerRulesOf(provider('karlstads_elnat'), { date: day })!;
    return appliedRules(record, { date: day, time: '10:00:00' }).some(({ rule }) => rule === 'high');
  };
  assert.deepEqual(['2027-03-24', '2027-03-25', '2027-03-26'].map(highOn), [true, false, false]);
  assert.ok(
    !powerRulesOf(provider('ellevio'), { date: inMarch })!.holidays.includes('2027-03-25'),
    'as another operator lists them',
  );
});

for (const { says, listed, holidays } of [
  { says: 'without eves', listed: ['2025-01-01', '2025-12-25'], holidays: ['2027-01-01', '2027-01-06'] },
  { says: 'as the operator lists them', listed: ['2025-11-10'], holidays: [] },
]) {
  test(`holidays ${says} also apply to unlisted years`, () => {
    const of = provider('karlstads_elnat');
    const calendarPatterns = of.calendarPatterns.map((pattern) =>
      pattern.dates?.length ? { ...pattern, dates: listed } : pattern,
    );
    const record = powerRulesOf({ ...of, calendarPatterns }, { date: '2027-06-01' })!;
    const of2027 = record.holidays.filter((day) => day.startsWith('2027'));
    assert.deepEqual(of2027.slice(0, 2), holidays);
    assert.ok(!of2027.includes('2027-12-24'));
  });
}

test('Ellevio: a peak at night counts half', () => {
  const record = powerRulesOf(provider('ellevio'), { date: inMarch })!;
  const at = (time: string) => appliedRules(record, { date: '2025-02-03', time });
  assert.deepEqual(
    at('12:00:00').map(({ price, multiplier }) => [price, multiplier]),
    [[81.25, 1]],
  );
  assert.deepEqual(
    at('22:00:00').map(({ price, multiplier }) => [price, multiplier]),
    [[81.25, 0.5]],
  );
  assert.deepEqual(
    at('05:59:59').map(({ rule }) => rule),
    ['main_low'],
  );
  assert.equal(record.pricing_rules.main_low?.price_per_kw, 40.625);
  assert.equal(record.num_peaks, 3);
});

test('Göteborg: the newest list applies, or that of a given day', () => {
  assert.equal(powerRulesOf(provider('goteborg_energi_nat'), { date })?.pricing_rules.main?.price_per_kw, 49);
  assert.equal(
    powerRulesOf(provider('goteborg_energi_nat'), { date: '2025-12-31' })?.pricing_rules.main?.price_per_kw,
    45,
  );
  assert.equal(
    powerRulesOf(provider('goteborg_energi_nat'), { date: '2019-01-01' })?.pricing_rules.main?.price_per_kw,
    49,
  );
});

test('Sollentuna: winter costs twice as much as summer, each in its months', () => {
  const { winter, summer } = powerRulesOf(provider('sollentuna_elnat'), { date })!.pricing_rules;
  assert.deepEqual([winter?.price_per_kw, winter?.season], [145, { start_month: 11, end_month: 3 }]);
  assert.deepEqual([summer?.price_per_kw, summer?.season], [72.5, { start_month: 4, end_month: 10 }]);
});

test('the fuse size chooses the tariff; flats come last', () => {
  const price = (fuseSize?: string) =>
    powerRulesOf(provider('vaxjo_energi_elnat'), { date, ...(fuseSize && { fuseSize }) })!.pricing_rules.high!
      .price_per_kw;
  assert.deepEqual([price(), price('16A'), price('80 A'), price('100')], [65.48, 65.48, 91.44, 91.44]);
  assert.equal(powerRulesOf(provider('telge_elnat'), { date })!.pricing_rules.high!.price_per_kw, 125.1);
  for (const fuseSize of ['17A', 'big', '']) {
    assert.throws(
      () => powerRulesOf(provider('ellevio'), { date: inMarch, fuseSize }),
      (error) => error instanceof Problem && error.status === 422 && /16A, 20A, 25A/.test(error.message),
    );
  }
});

test('a fuse size whose tariff has no power charge costs nothing per kilowatt', () => {
  const ofEllevio = (day: string) => powerRulesOf(provider('ellevio'), { date: day, fuseSize: '16A' })!;
  assert.deepEqual(
    [ofEllevio(inMarch).pricing_rules.main_high?.price_per_kw, ofEllevio(date).pricing_rules],
    [81.25, {}],
  );
  assert.match(ofEllevio(date).note, /^Säkring 16 A, .*: no power charge\./);
  assert.equal(ofEllevio('2027-02-01').assumed, true);
});

const upTo35 = ['16A', '20A', '25A', '35A'];
const upTo63 = [...upTo35, '50A', '63A'];
const upTo200 = [...upTo63, '80A', '100A', '125A', '160A', '200A'];

for (const [id, sizes] of [
  ['goteborg_energi_nat', upTo63],
  ['ellevio', ['50A', '63A']], // the power fee of smaller fuses ended
  ['vaxjo_energi_elnat', upTo63],
  ['sollentuna_elnat', upTo35],
  ['karlstads_elnat', upTo200],
  ['telge_elnat', upTo35],
] as const) {
  test(`the rules of ${id} are for fuses from ${sizes[0]} to ${sizes.at(-1)}`, () => {
    assert.deepEqual(powerRulesOf(provider(id), { date })!.fuse_sizes, sizes);
  });
}

test('the rules of a large fuse apply to all fuses of the same price, and the operator lists all sizes', () => {
  const { fuse_sizes } = powerRulesOf(provider('vaxjo_energi_elnat'), { date, fuseSize: '100A' })!;
  assert.deepEqual(fuse_sizes, ['80A', '100A', '125A', '160A', '200A']);
  assert.deepEqual(fuseSizesIn(provider('vaxjo_energi_elnat')), upTo200);
});

for (const [name, sizes] of [
  ['Effekt 16–25 A', [16, 20, 25]],
  ['Prislista 16A standard', [16]],
  ['Prislista 126-250A lågspänning', [160, 200, 250]],
  ['Småhus och företag, Max 63A', [16, 20, 25, 35, 50, 63]],
  ['Normaltariff - Över 630A', [800, 1000]],
  ['Prislista under 2000kW högspänning', []],
] as const) {
  test(`${name} is for ${sizes.join(', ') || 'no fuse'}`, () => {
    assert.deepEqual(fuseSizesOf({ name, product: '' }), sizes);
  });
}

const hoursOfYear = someOf(Array.from({ length: Math.ceil((365 * 24) / 37) }, (_, index) => index * 37));

for (const { when, years } of [
  { when: 'in the first year of the list', years: 0 },
  { when: 'two years later, when it has expired', years: 2 },
]) {
  test(`the rules of every provider match the tariff throughout a year ${when}`, () => {
    let compared = 0;
    for (const each of book.providers) {
      const record = powerRulesOf(each, { date: years === 0 ? date : '2028-06-01' });
      if (!record) continue; // no power fee
      const tariff = each.tariffs.find((one) =>
        record.note.startsWith(`${one.name}, ${one.validPeriod.fromIncluding}`),
      )!;
      const from = Date.parse(tariff.validPeriod.fromIncluding) + years * 365 * 24 * hourMs;
      for (const hour of hoursOfYear) {
        const at = localTimeAt(tariff.timeZone, from + hour * hourMs);
        if (isValidOn(tariff.validPeriod, at.date) !== (years === 0)) continue;
        const onThatDay = powerRulesOf(each, { date: at.date })!; // must not fail on any day of the first year either
        const rules = years === 0 ? record : onThatDay;
        const active = book
          .activeOrAssumed(tariff, 'powerPrice', at)
          .filter(({ name, reference }) => !/reakti|reacti/i.test(name + reference))
          .reduce((sum, { price }) => sum + price!.priceIncVat, 0);
        const applied = appliedRules(rules, at).reduce((sum, { price }) => sum + price, 0);
        assert.ok(Math.abs(active - applied) < 1e-6, `${each.id} ${at.date} ${at.time}: ${active} and ${applied}`);
        compared++;
      }
    }
    assert.ok(compared > 25 * hoursOfYear.length, String(compared));
  });
}
