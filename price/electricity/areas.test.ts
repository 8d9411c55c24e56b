import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { addDays } from '#contract/time-zone.ts';
import { areas, findArea, listedAreas, nameAsAsked } from './areas.ts';
import { isDate, marketDateAt, marketDay } from './market-day.ts';

suite('areas', () => {
  test('lists 39 of 55 areas, each with a unique code', () => {
    assert.equal(listedAreas.length, 39);
    assert.equal(areas.length, 55);
    assert.equal(new Set(areas.map(({ code }) => code)).size, 55);
    assert.ok(areas.every(({ eic }) => /^10Y[A-Z0-9-]{13}$/.test(eic)));
  });

  for (const { text, code, name = code } of [
    { text: 'SE3', code: 'SE3' },
    { text: 'se3', code: 'SE3' },
    { text: 'SE_3', code: 'SE3' },
    { text: 'se-3', code: 'SE3' },
    { text: '10Y1001A1001A46L', code: 'SE3' },
    { text: '10y1001a1001a46l', code: 'SE3' },
    { text: 'SE', code: 'SE3', name: 'SE' },
    { text: 'no', code: 'NO1', name: 'NO' },
    { text: 'DK', code: 'DK2', name: 'DK' },
    { text: '10YSE-1--------K', code: 'SE3' },
    { text: 'DE', code: 'DE' },
    { text: 'de-lu', code: 'DE_LU' },
    { text: '10Y1001A1001A82H', code: 'DE' },
    { text: 'IE_SEM', code: 'IE' },
    { text: 'IT-Nord', code: 'IT_NORD' },
    { text: '10YIT-GRTN-----B', code: 'IT' },
  ]) {
    test(`${text} is ${code}, and called ${name}`, () => {
      const area = findArea(text)!;
      assert.equal(area.code, code);
      assert.equal(nameAsAsked(text, area), name);
    });
  }

  for (const text of ['', 'XX', 'SE5', 'SE33', 'constructor', '__proto__', '10Y', 'S E3', 'SE3 '])
    test(`"${text}" is not an area`, () => assert.equal(findArea(text), undefined));
});

suite('market days', () => {
  for (const { code, date, hours, start } of [
    { code: 'SE3', date: '2026-03-28', hours: 24, start: '2026-03-27T23:00:00.000Z' },
    { code: 'SE3', date: '2026-03-29', hours: 23, start: '2026-03-28T23:00:00.000Z' },
    { code: 'FI', date: '2026-10-25', hours: 25, start: '2026-10-24T22:00:00.000Z' },
    { code: 'PT', date: '2026-07-01', hours: 24, start: '2026-06-30T22:00:00.000Z' },
    { code: 'GB', date: '2026-03-29', hours: 23, start: '2026-03-29T00:00:00.000Z' },
    { code: 'IE', date: '2026-10-25', hours: 25, start: '2026-10-24T22:00:00.000Z' },
    { code: 'IE', date: '2026-01-14', hours: 24, start: '2026-01-13T23:00:00.000Z' },
    { code: 'TR', date: '2026-03-29', hours: 24, start: '2026-03-28T21:00:00.000Z' },
  ]) {
    test(`${date} in ${code} has ${hours} hours from ${start} on`, () => {
      const area = findArea(code)!;
      const span = marketDay(area, date);
      assert.equal(new Date(span.start).toISOString(), start);
      assert.equal((span.end - span.start) / 3_600_000, hours);
      assert.equal(marketDateAt(area, span.start), date);
      assert.equal(marketDateAt(area, span.end - 1), date);
      assert.equal(marketDateAt(area, span.end), addDays(date, 1));
    });
  }

  test('rejects dates that are not on the calendar', () => {
    assert.ok(isDate('2028-02-29'));
    for (const text of [
      '2026-02-29',
      '2026-13-01',
      '2026-1-1',
      '20260101',
      '2026-01-01T00:00',
      '',
      '0000-00-00',
      ' 2026-01-01',
    ])
      assert.ok(!isDate(text), text);
  });
});
