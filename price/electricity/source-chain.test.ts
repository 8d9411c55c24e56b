import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { ElectricityPrices } from '#contract/price/electricity.ts';
import { Problem } from '#contract/problem.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { createSpotServer } from '#test/price/spot-market.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { findArea } from './areas.ts';
import { marketDay } from './market-day.ts';
import { openPrices } from './open-prices.ts';
import { type FetchedDay, type Source, SourceError } from './source.ts';
import { createCircuitBreaker } from './source-chain.ts';

const area = findArea('DE')!;
const yesterday = '2026-11-13';
const today = '2026-11-14';
const tomorrow = '2026-11-15';

type Played = Source & { has: 'hours' | 'quarters' | 'nothing' | 'no token'; asked: string[] };

/** A source with configurable answers. */
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
  return { clock, log, prices: openAgain(), openAgain };
}

const isUnavailable = (error: unknown): boolean => error instanceof Problem && error.code === 'unavailable';

suite('a source with hourly prices only', () => {
  test('is used temporarily on a day with quarter-hours, and not stored', async (t) => {
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

  for (const { says, fails } of [
    { says: 'nobody answers', fails: { fine: 'no token', hourly: 'no token' } },
    { says: 'the sources that answer do not have the day', fails: { fine: 'nothing', hourly: 'no token' } },
    { says: 'no source has it any longer', fails: { fine: 'nothing', hourly: 'nothing' } },
  ] as const) {
    test(`is still served when ${says}, with its age`, async (t) => {
      const [fine, hourly] = [play('fine', 'nothing'), play('hourly', 'hours', true)];
      const { prices, clock, log } = open(t, [fine, hourly]);
      const first = await prices.day(area, today);
      const app = createSpotServer({ prices, log });
      [fine.has, hourly.has] = [fails.fine, fails.hourly];
      for (const minutes of [11, 22, 33]) {
        clock.advance(11 * minuteMs);
        const reply = await app.inject(`/price/electricity/DE?date=${today}`);
        const { prices: told, metadata } = reply.json<ElectricityPrices>();
        assert.deepEqual([told.length, metadata.provider, metadata.cached], [24, 'hourly', true]);
        assert.equal(metadata.age, minutes * 60);
        assert.deepEqual((await prices.day(area, today))?.points, first?.points);
        assert.equal(prices.peek(area, today)?.fetchedAt, first?.fetchedAt);
      }

      fine.has = 'quarters';
      clock.advance(16 * minuteMs);
      const reply = await app.inject(`/price/electricity/DE?date=${today}&resolution=PT15M`);
      assert.equal(reply.json<ElectricityPrices>().metadata.provider, 'fine');
      assert.equal(prices.peek(area, today)?.points.length, 96);
    });
  }

  test('is used again as soon as it answers, even after old prices were served', async (t) => {
    const hourly = play('hourly', 'hours', true);
    const { prices, clock, log } = open(t, [hourly]);
    await prices.day(area, today);
    const app = createSpotServer({ prices, log });
    const ageTold = async (): Promise<number> => {
      const reply = await app.inject(`/price/electricity/DE?date=${today}`);
      return reply.json<ElectricityPrices>().metadata.age;
    };
    hourly.has = 'nothing';
    clock.advance(11 * minuteMs);
    assert.equal(await ageTold(), 660);
    hourly.has = 'hours';
    clock.advance(minuteMs);
    assert.equal(await ageTold(), 0);
  });

  test('is requested last on such a day, and in its usual order before', async (t) => {
    const [hourly, fine] = [play('hourly', 'hours', true), play('fine', 'quarters')];
    const { prices } = open(t, [hourly, fine]);
    assert.equal((await prices.day(area, today))?.source, 'fine');
    assert.equal((await prices.day(area, '2025-10-01'))?.source, 'fine');
    assert.deepEqual(hourly.asked, []);
    assert.equal((await prices.day(area, '2025-09-30'))?.source, 'hourly');
  });

  test('does not stop the refresh', async (t) => {
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

suite('a day that some sources lack while another is unreachable', () => {
  test('is a failure if it is past, and is fetched as soon as the other source answers', async (t) => {
    const away = play('away', 'no token');
    const { prices, clock } = open(t, [play('poor', 'nothing'), away]);
    await assert.rejects(prices.day(area, yesterday), isUnavailable);
    clock.advance(minuteMs);
    await assert.rejects(prices.day(area, yesterday), isUnavailable); // the circuit breaker skips the other source now
    assert.equal(away.asked.length, 1);
    away.has = 'quarters';
    clock.advance(15 * minuteMs);
    assert.equal((await prices.day(area, yesterday))?.points.length, 96);
  });

  test('counts as unpublished for a minute if it may be', async (t) => {
    const away = play('away', 'no token');
    const { prices, clock } = open(t, [play('poor', 'nothing'), away]);
    assert.equal(await prices.day(area, tomorrow), undefined);
    away.has = 'quarters';
    clock.advance(16 * minuteMs);
    assert.equal((await prices.day(area, tomorrow))?.points.length, 96);
  });

  test('is unknown when all sources have answered', async (t) => {
    const { prices, clock } = open(t, [play('poor', 'nothing'), play('poorer', 'nothing')]);
    assert.equal(await prices.day(area, yesterday), undefined);
    clock.advance(59 * minuteMs);
    assert.equal(await prices.day(area, yesterday), undefined);
  });
});

test('a ban outlasts the results of requests that were already in flight', () => {
  const clock = createFakeClock(0);
  const breaker = createCircuitBreaker(clock);
  assert.equal(breaker.fail(new SourceError('limited', 'Too often.', 600_000)), 600_000);
  clock.advance(1000);
  assert.equal(breaker.fail(new SourceError('silent', 'No answer.')), 599_000);
  breaker.succeed();
  assert.ok(breaker.isOpen());
  clock.advance(599_000);
  assert.ok(!breaker.isOpen());
});
