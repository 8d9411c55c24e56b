import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourMs } from '#contract/time.ts';
import { findArea } from '../electricity/areas.ts';
import { dayFromPeriods, readA44 } from '../electricity/entsoe.ts';
import type { PriceDay } from '../electricity/market-day.ts';
import { marketDay } from '../electricity/market-day.ts';
import { marketDocument } from './market-document.ts';

const area = findArea('SE3')!;

function dayFrom(source: string, date: string): PriceDay {
  const { start, end } = marketDay(area, date);
  const points = Array.from({ length: (end - start) / hourMs }, (_, n) => ({
    start: start + n * hourMs,
    end: start + (n + 1) * hourMs,
    eur_per_mwh: n - 3.25,
  }));
  return { date, points, source, isSimulated: false, fetchedAt: start };
}

test('each series of a document names its source', () => {
  const days = [dayFrom('ENTSO-E', '2026-01-14'), dayFrom('Energy---Charts', '2026-01-15')];
  const text = marketDocument(area, days);
  const [head, ...series] = text.split('<TimeSeries>');
  assert.doesNotMatch(head!, /<!--/);
  assert.deepEqual(
    series.map((each) => each.match(/<!--.*?-->/g)),
    [['<!-- ENTSO-E -->'], ['<!-- Energy-Charts -->']], // two hyphens would end a comment
  );
  const read = readA44(text, area.eic);
  assert.ok(typeof read === 'object');
  for (const { date, points } of days) assert.deepEqual(dayFromPeriods(read.periods, marketDay(area, date)), points);
});
