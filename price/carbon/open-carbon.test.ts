import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { pairsOf, readConfig } from '#lib/config.ts';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { meanAt, startCarbonPublishers } from '#test/price/carbon-publishers.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { PriceConfig } from '../config.ts';
import { findArea } from '../electricity/areas.ts';
import { openCarbon } from './open-carbon.ts';
import { createCarbonSources } from './sources.ts';

const noon = Date.parse('2026-11-18T12:40Z');
const today = Date.parse('2026-11-18T00:00Z');
const stepMs = { DK1: 5 * minuteMs, GB: 30 * minuteMs, SE3: hourMs };
type Covered = keyof typeof stepMs;
const covered: Covered[] = ['DK1', 'GB', 'SE3'];

/** Carbon intensities from the publishers, at a time that stands still. The log is kept. */
async function open(t: TestContext, sources?: string) {
  const clock = createFakeClock(noon);
  const publishers = await startCarbonPublishers({ clock });
  t.after(() => publishers[Symbol.asyncDispose]());
  const dataDir = temporaryFolder(t);
  const lines: string[] = [];
  const log = createLog({ level: 'debug', name: 'price', destination: { write: (line) => lines.push(line) } });
  const settings = readConfig(PriceConfig, { ...publishers.env, ...(sources && { CARBON_SOURCES: sources }) });
  const carbonSettings = {
    ids: settings.CARBON_SOURCES.split(','),
    urls: pairsOf(settings.CARBON_SOURCE_URLS),
    electricityMapsToken: settings.ELECTRICITYMAPS_TOKEN,
  };
  const openAgain = () => {
    const carbon = openCarbon({ dataDir, sources: createCarbonSources(carbonSettings, log), clock, log });
    let isOpen = true;
    const close = async () => {
      if (isOpen) await carbon.close();
      isOpen = false;
    };
    t.after(close);
    const find = async (code: string, from: number, to: number) => {
      const found = await carbon.find(findArea(code)!, from, to);
      assert.ok(found);
      return found;
    };
    return { find, close };
  };
  return { clock, publishers, dataDir, lines, openAgain, ...openAgain() };
}

const isUnavailable = { name: 'Problem', code: 'unavailable' };

suite('carbon intensities', () => {
  for (const code of covered) {
    test(`of ${code} are means of whole UTC hours`, async (t) => {
      const { find } = await open(t);
      const { hours, missingHours, fetchedAt } = await find(code, today - dayMs, today);
      const expected = Array.from({ length: 24 }, (_, n) => {
        const start = today - dayMs + n * hourMs;
        return { start, intensity: meanAt(start, stepMs[code]) };
      });
      assert.deepEqual(hours, expected);
      assert.deepEqual([missingHours, fetchedAt], [0, noon]);
    });
  }

  test('are those of hours that are over and measured, not estimated or forecast', async (t) => {
    const { find } = await open(t);
    // At 12:40: five-minute values until 12:35, half-hours until 12:00 and estimates from 11:00 on.
    for (const [code, count] of [
      ['DK1', 12],
      ['GB', 12],
      ['SE3', 11],
    ] as const) {
      const { hours, missingHours } = await find(code, today, today + dayMs);
      assert.deepEqual([hours.length, hours.at(-1)?.start], [count, today + (count - 1) * hourMs], code);
      assert.equal(missingHours, 12 - count, code);
    }
  });

  test('include the hours that a range overlaps', async (t) => {
    const { find } = await open(t);
    const { hours } = await find('DK1', today + 90 * minuteMs, today + 150 * minuteMs);
    assert.deepEqual(
      hours.map(({ start }) => (start - today) / hourMs),
      [1, 2],
    );
  });

  test('of a year need few requests, and none the second time or after a restart', async (t) => {
    const { publishers, find, close, openAgain, clock } = await open(t);
    for (const [code, requests] of [
      ['DK1', 7],
      ['GB', 27],
      ['SE3', 37],
    ] as const) {
      publishers.asked.length = 0;
      const { hours } = await find(code, today - 366 * dayMs, today);
      assert.deepEqual([hours.length, publishers.asked.length], [366 * 24, requests], code);
    }
    publishers.asked.length = 0;
    await close();
    clock.advance(30 * dayMs);
    publishers.answerWith((_request, response) => response.writeHead(500).end());
    const { find: findAgain } = openAgain();
    for (const code of covered) {
      const { hours } = await findAgain(code, today - 366 * dayMs, today);
      assert.equal(hours.length, 366 * 24);
      assert.equal(hours[0]?.intensity, meanAt(today - 366 * dayMs, stepMs[code]));
    }
    assert.deepEqual(publishers.asked, []);
  });

  test('of gaps between known days are fetched together', async (t) => {
    const { publishers, find } = await open(t);
    await find('SE3', today - 5 * dayMs, today - 4 * dayMs);
    publishers.asked.length = 0;
    assert.equal((await find('SE3', today - 10 * dayMs, today)).hours.length, 240);
    assert.equal(publishers.asked.length, 1);
  });

  test('of the newest hours are fetched again after a while, and of a gap less and less often', async (t) => {
    const { publishers, find, clock } = await open(t);
    await find('SE3', today, today + dayMs);
    clock.advance(14 * minuteMs);
    await find('SE3', today, today + dayMs);
    assert.equal(publishers.asked.length, 1);
    clock.advance(hourMs);
    assert.equal((await find('SE3', today, today + dayMs)).hours.length, 12);
    assert.equal(publishers.asked.length, 2);

    const gap = today + 3 * hourMs;
    publishers.asked.length = 0;
    publishers.answerWith((_request, response) => {
      const data = [{ datetime: new Date(gap).toISOString(), carbonIntensity: null, isEstimated: false }];
      response.end(JSON.stringify({ zone: 'SE-SE3', data }));
    });
    const until = clock.now() + 40 * dayMs;
    for (; clock.now() < until; clock.advance(10 * minuteMs)) await find('SE3', today, today + dayMs);
    const { hours } = await find('SE3', today, today + dayMs);
    assert.equal(hours.length, 12, 'known hours are kept when the source no longer has them');
    const requests = publishers.asked.length;
    assert.ok(requests >= 10 && requests < 70, `${requests} requests`);
    clock.advance(400 * dayMs);
    await find('SE3', today, today + dayMs);
    assert.equal(publishers.asked.length, requests, 'a gap that was there after ten days is final');
  });

  test('before the first day of a source and in the future are not asked for', async (t) => {
    const { publishers, find } = await open(t);
    const before = await find('DK1', Date.parse('2016-01-01'), Date.parse('2016-02-01'));
    assert.deepEqual([before.hours, before.fetchedAt, before.missingHours], [[], undefined, 31 * 24]);
    const later = await find('DK1', today + 2 * dayMs, today + 3 * dayMs);
    assert.deepEqual([later.hours, later.fetchedAt, later.missingHours], [[], undefined, 0]);
    assert.deepEqual(publishers.asked, []);
  });

  test('come from the first configured source that covers the area', async (t) => {
    const { find } = await open(t, 'uk,energidataservice,electricitymaps');
    assert.equal((await find('DK2', today - dayMs, today)).provider, 'Energi Data Service');
    assert.equal((await find('SE3', today - dayMs, today)).provider, 'Electricity Maps');
  });

  test('are asked for once by concurrent callers', async (t) => {
    const { publishers, find } = await open(t);
    const all = await Promise.all(Array.from({ length: 20 }, () => find('GB', today - 3 * dayMs, today)));
    assert.ok(all.every(({ hours }) => hours.length === 72));
    assert.equal(publishers.asked.length, 1);
  });

  test('are fetched again when the database is damaged', async (t) => {
    const { find, close, openAgain, dataDir, lines } = await open(t);
    await find('DK1', today - dayMs, today);
    await close();
    writeFileSync(join(dataDir, 'carbon.db'), 'this text is not a database '.repeat(200));
    assert.equal((await openAgain().find('DK1', today - dayMs, today)).hours.length, 24);
    assert.match(lines.join(''), /damaged carbon database moved aside/);
  });
});

const answer =
  (body: string, status = 200, headers = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

const first = new Date(today - dayMs).toISOString();
const wrongBodies = {
  DK1: [
    '{"records":{}}',
    '{"records":[{"Minutes5UTC":"2026-11-17T00:00:00","PriceArea":"DK2","CO2Emission":1}]}',
    '{"records":[{"Minutes5UTC":"2026-11-17T00:00:00","PriceArea":"DK1"}]}',
    '{"records":[{"Minutes5UTC":"yesterday","PriceArea":"DK1","CO2Emission":1}]}',
    '{"records":[{"Minutes5UTC":"2026-11-17T00:01:00","PriceArea":"DK1","CO2Emission":1}]}',
  ],
  GB: [
    '{"data":[null]}',
    `{"data":[{"from":"${first}","intensity":null}]}`,
    `{"data":[{"from":"${first}","intensity":{"forecast":1}}]}`,
    `{"data":[{"from":"${first}","intensity":{"forecast":1,"actual":"1"}}]}`,
    '{"data":[{"intensity":{"actual":1}}]}',
  ],
  SE3: [
    '{"zone":"SE-SE3"}',
    `{"zone":"SE-SE4","data":[{"datetime":"${first}","carbonIntensity":1}]}`,
    `{"zone":"SE-SE3","data":[{"datetime":"${first}"}]}`,
    '{"zone":"SE-SE3","data":[{"datetime":1e999,"carbonIntensity":1}]}',
  ],
};

suite('a source of carbon intensities', () => {
  for (const code of covered) {
    test(`with a malformed answer about ${code} is an error, nothing of which is stored`, async (t) => {
      const { publishers, find, clock } = await open(t);
      const bodies = ['', 'null', '[]', '{}', '5', '<html>', '{"data":', ...wrongBodies[code]];
      for (const body of bodies) {
        publishers.asked.length = 0;
        publishers.answerWith(answer(body));
        await assert.rejects(find(code, today - dayMs, today), isUnavailable, body);
        await assert.rejects(find(code, today - dayMs, today), isUnavailable, 'not asked again at once');
        assert.equal(publishers.asked.length, 1, body);
        clock.advance(16 * minuteMs); // longer than any circuit breaker
      }
      publishers.answerWith(undefined);
      assert.equal((await find(code, today - dayMs, today)).hours.length, 24);
    });
  }

  test('with values of hours that are not over is not believed', async (t) => {
    const { publishers, find } = await open(t);
    const data = Array.from({ length: 24 }, (_, n) => ({
      datetime: new Date(today + n * hourMs).toISOString(),
      carbonIntensity: 20,
      isEstimated: false,
    }));
    publishers.answerWith(answer(JSON.stringify({ zone: 'SE-SE3', data })));
    assert.equal((await find('SE3', today, today + dayMs)).hours.length, 12);
  });

  test('with an implausible value leaves out its hour', async (t) => {
    const { publishers, find } = await open(t);
    const data = [-1, 3001, 1e300, 0, 3000].map((carbonIntensity, n) => ({
      datetime: new Date(today - dayMs + n * hourMs).toISOString(),
      carbonIntensity,
      isEstimated: false,
    }));
    publishers.answerWith(answer(JSON.stringify({ zone: 'SE-SE3', data })));
    const { hours, missingHours } = await find('SE3', today - dayMs, today);
    assert.deepEqual(
      hours.map(({ intensity }) => intensity),
      [0, 3000],
    );
    assert.equal(missingHours, 22);
  });

  for (const { says, listener } of [
    { says: 'answers with 503', listener: answer('', 503) },
    { says: 'answers with 404', listener: answer('{}', 404) },
    { says: 'redirects', listener: answer('', 302, { location: 'http://127.0.0.1:1/' }) },
    { says: 'ends the connection', listener: ((request) => void request.socket.destroy()) satisfies RequestListener },
  ]) {
    test(`that ${says} is an error only if nothing is stored, and is asked again later`, async (t) => {
      const { publishers, find, clock, lines } = await open(t);
      await find('DK1', today - 3 * dayMs, today - 2 * dayMs);
      publishers.answerWith(listener);
      await assert.rejects(find('DK1', today - dayMs, today), isUnavailable);
      const { hours, missingHours } = await find('DK1', today - 3 * dayMs, today);
      assert.deepEqual([hours.length, missingHours], [24, 48]);
      publishers.answerWith(undefined);
      clock.advance(20_000);
      assert.equal((await find('DK1', today - 3 * dayMs, today)).hours.length, 72);
      assert.equal(lines.filter((line) => line.includes('carbon source failed')).length, 1);
      assert.equal(lines.filter((line) => line.includes('carbon source recovered')).length, 1);
    });
  }

  test('that refuses the token for an area is still asked about others, and the token is not logged', async (t) => {
    const { publishers, find, lines } = await open(t);
    for (const code of ['DE', 'FR', 'NO1', 'IT_NORD']) {
      await assert.rejects(find(code, today - dayMs, today), isUnavailable);
      await assert.rejects(find(code, today - dayMs, today), isUnavailable);
    }
    assert.deepEqual(
      publishers.asked.map((url) => new URL(url, 'http://publishers').searchParams.get('zone')),
      ['DE', 'FR', 'NO-NO1', 'IT-NO'],
    );
    assert.equal((await find('SE3', today - dayMs, today)).hours.length, 24);
    assert.doesNotMatch(lines.join(''), /em-token/);
  });

  test('that limits requests is not asked about any area until it allows it', async (t) => {
    const { publishers, find, clock } = await open(t);
    publishers.answerWith(answer('', 429, { 'retry-after': '600' }));
    await assert.rejects(find('SE3', today - dayMs, today), isUnavailable);
    await assert.rejects(find('DE', today - dayMs, today), isUnavailable);
    assert.equal(publishers.asked.length, 1);
    publishers.answerWith(undefined);
    clock.advance(600_000);
    assert.equal((await find('SE3', today - dayMs, today)).hours.length, 24);
  });

  test('is asked at most 120 times an hour, the newest days first', async (t) => {
    const { publishers, find, clock } = await open(t);
    for (const year of [0, 1, 2]) await find('SE3', today - (year + 1) * 366 * dayMs, today - year * 366 * dayMs);
    const { hours, missingHours } = await find('SE3', today - 4 * 366 * dayMs, today - 3 * 366 * dayMs);
    assert.equal(publishers.asked.length, 120);
    assert.equal(hours.at(-1)?.start, today - 3 * 366 * dayMs - hourMs);
    assert.equal(hours.length + missingHours, 366 * 24);
    assert.ok(missingHours > 0);
    clock.advance(hourMs);
    assert.equal((await find('SE3', today - 4 * 366 * dayMs, today - 3 * 366 * dayMs)).missingHours, 0);
  });
});
