import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hourMs } from '#contract/time.ts';
import { addDays } from '#contract/time-zone.ts';
import { composeAnswer } from '#price/electricity/answer.ts';
import { areas, listedAreas } from '#price/electricity/areas.ts';
import { dayFromPeriods, readA44 } from '#price/electricity/entsoe.ts';
import type { PriceDay } from '#price/electricity/market-day.ts';
import { atResolution, marketDay } from '#price/electricity/market-day.ts';
import { simulatedDay, simulatedDocument } from './simulated-day.ts';

const firstDate = '2025-01-01'; // nine months of hours, fifteen of quarters
const dayCount = 730;
const clockChanges: Record<string, number> = { '2025-03-30': 23, '2025-10-26': 25, '2026-03-29': 23, '2026-10-25': 25 };
const rate = { currency: 'EUR', perEuro: 1, date: firstDate, source: '' };

// Every area costs a second; all of them are tried with ALL_AREAS=1.
const sample = ['SE3', 'DE', 'IE', 'CH', 'NO4', 'DK1', 'GR', 'PT', 'GB'];
const tried = process.env.ALL_AREAS ? areas : listedAreas.filter(({ code }) => sample.includes(code));

suite(`every day of two years in ${tried.length} areas, from the document of the market to the answer`, () => {
  for (const area of tried) {
    test(area.code, () => {
      let days = 0;
      for (let date = firstDate; days < dayCount; date = addDays(date, 1), days += 1) {
        const span = marketDay(area, date);
        const hours = area.timeZone === 'Europe/Istanbul' ? 24 : (clockChanges[date] ?? 24);
        assert.equal((span.end - span.start) / hourMs, hours, date);

        const read = readA44(simulatedDocument(area.eic, span), area.eic);
        if (!area.isPriced) {
          assert.equal(read, 'none', date);
          continue;
        }
        assert.ok(typeof read === 'object', date);
        const points = dayFromPeriods(read.periods, span) ?? [];
        const truth = simulatedDay(area.eic, span);
        assert.deepEqual(
          points.map(({ eur_per_mwh }) => eur_per_mwh),
          truth,
          date,
        );

        const question = {
          area,
          name: area.code,
          dates: [date],
          isCurrent: false,
          resolution: 'PT60M',
          currency: 'EUR',
        } as const;
        const told = atResolution(points, question.resolution);
        const day: PriceDay = { date, points: told, source: 'market', isSimulated: true, fetchedAt: 0 };
        const answer = composeAnswer(
          { ...question, dates: [date] },
          { days: [day], rate, isCached: true, missing: [] },
        );
        assert.equal(answer.prices.length, hours, date);
        const perHour = truth.length / hours;
        answer.prices.forEach(({ datetime, price }, n) => {
          assert.equal(Date.parse(datetime), span.start + n * hourMs);
          const parts = truth.slice(n * perHour, (n + 1) * perHour);
          const mean = parts.reduce((sum, part) => sum + part, 0) / perHour;
          assert.ok(Math.abs(mean - price) <= 0.00005 + 1e-9, `${datetime} ${mean} ${price}`);
        });
      }
      assert.equal(days, dayCount);
    });
  }
});
