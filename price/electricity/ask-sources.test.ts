import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { Problem } from '#contract/problem.ts';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { findArea } from './areas.ts';
import { hourMs, marketDay } from './market-day.ts';
import { openPrices } from './open-prices.ts';
import { type FetchedDay, type Source, SourceError } from './source.ts';

const area = findArea('DE')!;
const yesterday = '2026-11-13';
const today = '2026-11-14';
const tomorrow = '2026-11-15';
const minuteMs = 60_000;

type Played = Source & { has: 'hours' | 'quarters' | 'nothing' | 'no token'; asked: string[] };

/** A source that answers as it is told to. */
function play(id: string, has: Played['has'], isHourly = false): Played {
  const source: Played = {
    id,
    name: id,
    description: '',
    isHourly,
    has,
    asked: [],
    covers: () => true,
    async fetchDay(_area, date) {
      source.asked.push(date);
      if (source.has === 'no token') throw new SourceError('refused', 'The answer was 401.');
      return source.has === 'nothing' ? undefined : dayIn(source.has, date);
    },
  };
  return source;
}

function dayIn(steps: 'hours' | 'quarters', date: string): FetchedDay {
  const { start, end } = marketDay(area, date);
  const stepMs = steps === 'hours' ? hourMs : hourMs / 4;
  const points = Array.from({ length: (end - start) / stepMs }, (_, n) => ({
    start: start + n * stepMs,
    end: start + (n + 1) * stepMs,
    eur_per_mwh: 50,
  }));
  return { points, isSimulated: false };
}

function open(t: TestContext, sources: readonly Source[]) {
  const clock = createFakeClock(Date.parse('2026-11-14T13:00Z'));
  const dataDir = temporaryFolder(t);
  const log = createLog({ level: 'silent', name: 'price' });
  const openAgain = () => {
    const prices = openPrices({ dataDir, sources, clock, log });
    t.after(() => prices.close());
    return prices;
  };
  return { clock, prices: openAgain(), openAgain };
}

const isUnavailable = (error: unknown): boolean => error instanceof Problem && error.code === 'unavailable';

suite('a source that has hours only', () => {
  test('stands in for a while on a day of quarter-hours, and is not stored', async (t) => {
    const [fine, hourly] = [play('fine', 'no token'), play('hourly', 'hours', true)];
    const { prices, clock, openAgain } = open(t, [fine, hourly]);
    assert.equal((await prices.day(area, today))?.points.length, 24);
    assert.equal(prices.peek(area, today)?.source, 'hourly');
    await prices.day(area, today);
    assert.equal(hourly.asked.length, 1);

    assert.equal(openAgain().peek(area, today), undefined);
    fine.has = 'quarters';
    clock.advance(16 * minuteMs);
    assert.equal(prices.peek(area, today), undefined);
    assert.equal((await prices.day(area, today))?.points.length, 96);
    clock.advance(60 * minuteMs);
    assert.equal(openAgain().peek(area, today)?.source, 'fine');
  });

  test('is asked last on such a day, and in its turn before', async (t) => {
    const [hourly, fine] = [play('hourly', 'hours', true), play('fine', 'quarters')];
    const { prices } = open(t, [hourly, fine]);
    assert.equal((await prices.day(area, today))?.source, 'fine');
    assert.equal((await prices.day(area, '2025-10-01'))?.source, 'fine');
    assert.deepEqual(hourly.asked, []);
    assert.equal((await prices.day(area, '2025-09-30'))?.source, 'hourly');
  });

  test('does not end the refresh', async (t) => {
    const [fine, hourly] = [play('fine', 'quarters'), play('hourly', 'hours', true)];
    const { prices, clock } = open(t, [fine, hourly]);
    await prices.day(area, today);
    fine.has = 'no token';
    await prices.refresh();
    assert.equal(prices.peek(area, tomorrow)?.source, 'hourly');
    fine.has = 'quarters';
    clock.advance(16 * minuteMs);
    await prices.refresh();
    assert.equal(prices.peek(area, tomorrow)?.source, 'fine');
  });
});

suite('a day that some sources do not have while another cannot be asked', () => {
  test('is a failure when it is past, and had as soon as the other answers', async (t) => {
    const away = play('away', 'no token');
    const { prices, clock } = open(t, [play('poor', 'nothing'), away]);
    await assert.rejects(prices.day(area, yesterday), isUnavailable);
    clock.advance(minuteMs);
    await assert.rejects(prices.day(area, yesterday), isUnavailable); // the other is left alone now
    assert.equal(away.asked.length, 1);
    away.has = 'quarters';
    clock.advance(15 * minuteMs);
    assert.equal((await prices.day(area, yesterday))?.points.length, 96);
  });

  test('is believed to be unpublished for a minute when it may be', async (t) => {
    const away = play('away', 'no token');
    const { prices, clock } = open(t, [play('poor', 'nothing'), away]);
    assert.equal(await prices.day(area, tomorrow), undefined);
    away.has = 'quarters';
    clock.advance(16 * minuteMs);
    assert.equal((await prices.day(area, tomorrow))?.points.length, 96);
  });

  test('is not there when all have been asked', async (t) => {
    const { prices, clock } = open(t, [play('poor', 'nothing'), play('poorer', 'nothing')]);
    assert.equal(await prices.day(area, yesterday), undefined);
    clock.advance(59 * minuteMs);
    assert.equal(await prices.day(area, yesterday), undefined);
  });
});
