import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holidayDates, kindsAmong, swedishHolidays } from './holidays.ts';

const dateOf = (year: number, name: string): string | undefined =>
  swedishHolidays(year).find((holiday) => holiday.name === name)?.date;

// From almanacs.
for (const [year, easter, ascension, midsummerEve, allSaints] of [
  [1943, '04-25', '06-03', '06-25', '11-06'], // the latest possible Easter
  [2008, '03-23', '05-01', '06-20', '11-01'],
  [2019, '04-21', '05-30', '06-21', '11-02'],
  [2024, '03-31', '05-09', '06-21', '11-02'],
  [2025, '04-20', '05-29', '06-20', '11-01'],
  [2026, '04-05', '05-14', '06-19', '10-31'],
  [2027, '03-28', '05-06', '06-25', '11-06'],
  [2028, '04-16', '05-25', '06-23', '11-04'],
  [2029, '04-01', '05-10', '06-22', '11-03'],
  [2030, '04-21', '05-30', '06-21', '11-02'],
  [2049, '04-18', '05-27', '06-25', '11-06'], // tables without the correction have 25 April
] as const) {
  test(`the movable holidays of ${year} are correct`, () => {
    assert.equal(dateOf(year, 'Påskdagen'), `${year}-${easter}`);
    assert.equal(dateOf(year, 'Kristi himmelsfärdsdag'), `${year}-${ascension}`);
    assert.equal(dateOf(year, 'Midsommarafton'), `${year}-${midsummerEve}`);
    assert.equal(dateOf(year, 'Alla helgons dag'), `${year}-${allSaints}`);
  });
}

test('the list of Göteborg Energi for 2026', () => {
  assert.deepEqual(holidayDates(2026, ['public_holidays', 'eves']), [
    '2026-01-01',
    '2026-01-06',
    '2026-04-03',
    '2026-04-06',
    '2026-05-01',
    '2026-05-14',
    '2026-06-06',
    '2026-06-19',
    '2026-12-24',
    '2026-12-25',
    '2026-12-26',
    '2026-12-31',
  ]);
});

test('Maundy Thursday is listed only on request', () => {
  assert.ok(!holidayDates(2025, ['public_holidays', 'eves']).includes('2025-04-17'));
  assert.ok(holidayDates(2025, ['public_holidays', 'eves', 'maundy_thursday']).includes('2025-04-17'));
});

test('the omitted holidays are never working days', () => {
  for (let year = 1950; year < 2150; year++) {
    const listed = holidayDates(year, ['public_holidays', 'eves', 'maundy_thursday']);
    const left = swedishHolidays(year).filter(({ date }) => !listed.includes(date));
    for (const { date } of left) assert.ok([0, 6].includes(new Date(date).getUTCDay()), date);
    assert.equal(listed.length, 13);
  }
});

test('the National Day replaced Whit Monday in 2005', () => {
  assert.equal(dateOf(2004, 'Annandag pingst'), '2004-05-31');
  assert.equal(dateOf(2004, 'Nationaldagen'), undefined);
  assert.equal(dateOf(2005, 'Annandag pingst'), undefined);
  assert.equal(dateOf(2005, 'Nationaldagen'), '2005-06-06');
});

test('Norwegian holidays of 2026 are those of the calendar, with Maundy Thursday, 17 May and Whit Monday', () => {
  assert.deepEqual(holidayDates(2026, ['norwegian_holidays']), [
    '2026-01-01',
    '2026-04-02',
    '2026-04-03',
    '2026-04-06',
    '2026-05-01',
    '2026-05-14',
    '2026-05-17',
    '2026-05-25',
    '2026-12-25',
    '2026-12-26',
  ]);
  assert.deepEqual(kindsAmong(holidayDates(2026, ['norwegian_holidays'])), ['norwegian_holidays']);
  assert.deepEqual(kindsAmong(holidayDates(2026, ['public_holidays'])), ['public_holidays']);
});
