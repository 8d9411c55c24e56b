import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { suite, type TestContext, test } from 'node:test';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { readConfig } from '#lib/config.ts';
import { createLog } from '#lib/log.ts';
import { inEnglish } from '#plan/english.ts';
import { type History, meanOver } from '#plan/forecast/history.ts';
import { clearSkyOver } from '#plan/forecast/sun.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { CloudConfig } from '../config.ts';
import { openWeather, type SiteWeather } from './weather.ts';

const textOf = ({ note }: SiteWeather): string => inEnglish(note, { timeZone: 'UTC' });

const noon = Date.parse('2026-06-18T12:20:00Z');
const hour = Date.parse('2026-06-18T12:00:00Z');
const home = { latitude: 59.3293, longitude: 18.0686 };
const both = 'open-meteo,met-no';
const modified = 'Thu, 18 Jun 2026 11:58:00 GMT';

/** Answers as Open-Meteo does: the temperature is the number of the hour, the irradiance that of the hour before. */
function openMeteo(url: URL, now: number): unknown {
  const count = (name: string): number => Number(url.searchParams.get(name));
  const first = Math.floor(now / dayMs - count('past_days')) * dayMs;
  const starts = Array.from(
    { length: (count('past_days') + count('forecast_days')) * 24 },
    (_, n) => first + n * hourMs,
  );
  return {
    hourly: {
      time: starts.map((start) => start / 1000),
      temperature_2m: starts.map((start) => new Date(start).getUTCHours()),
      shortwave_radiation: starts.map((start) => new Date(start - hourMs).getUTCHours() * 10),
    },
  };
}

/** Answers as met.no does: hours, then steps of six hours; half of the sky is cloudy. */
function metNo(now: number): unknown {
  const first = Math.floor(now / hourMs);
  const hours = [...Array.from({ length: 48 }, (_, n) => n), ...Array.from({ length: 20 }, (_, n) => 48 + n * 6)];
  const timeseries = hours.map((n) => ({
    time: new Date((first + n) * hourMs).toISOString(),
    data: { instant: { details: { air_temperature: n / 10, cloud_area_fraction: 50 } } },
  }));
  return { properties: { timeseries } };
}

async function open(t: TestContext, sources: string, contact: string | undefined = 'operator@example.org') {
  const clock = createFakeClock(noon);
  const asked: { url: URL; headers: IncomingMessage['headers'] }[] = [];
  let replacement: RequestListener | undefined;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://source');
    asked.push({ url, headers: request.headers });
    if (replacement) return replacement(request, response);
    const isMetNo = url.pathname.startsWith('/weatherapi/');
    if (isMetNo && request.headers['if-modified-since'] === modified) return response.writeHead(304).end();
    if (isMetNo) response.setHeader('last-modified', modified);
    return response.end(JSON.stringify(isMetNo ? metNo(clock.now()) : openMeteo(url, clock.now())));
  });
  const address = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const log = createLog({ level: 'silent', name: 'test' });
  const settings = readConfig(CloudConfig, {
    WEATHER_SOURCES: sources,
    WEATHER_SOURCE_URLS: `open-meteo=${address},met-no=${address}`,
    ...(contact && { WEATHER_CONTACT: contact }),
  });
  const weather = openWeather(settings, { version: '9.9.9', clock, log });
  t.after(() => {
    weather?.close();
    server.closeAllConnections();
    server.close();
  });
  return {
    weather: weather!,
    isOff: weather === undefined,
    clock,
    asked,
    answerWith(listener: RequestListener | undefined): void {
      replacement = listener;
    },
    failOpenMeteo(status: number): void {
      replacement = (request, response) => {
        const isMetNo = request.url!.startsWith('/weatherapi/');
        response.writeHead(isMetNo ? 200 : status).end(isMetNo ? JSON.stringify(metNo(clock.now())) : '');
      };
    },
  };
}

const at = (history: History | undefined, start: number): number =>
  history ? meanOver(history, { start, end: start + hourMs }) : Number.NaN;

suite('the weather of a site', () => {
  test('comes from the first source, with the past, and hours have their own irradiance', async (t) => {
    const { weather, asked } = await open(t, both);
    const { temperature, irradiance, note } = await weather.at(home);
    for (const start of [hour, hour - 40 * dayMs, hour + 9 * dayMs])
      assert.deepEqual([at(temperature, start), at(irradiance, start)], [12, 120]);
    assert.match(textOf({ note }), /Open-Meteo \(CC BY 4\.0\)\.$/);
    assert.equal(asked.length, 1);
    const { searchParams } = asked[0]!.url;
    assert.deepEqual([searchParams.get('latitude'), searchParams.get('longitude')], ['59.3', '18.1']);
    assert.doesNotMatch(String(asked[0]!.headers['user-agent']), /operator/);
  });

  test('is fetched once an hour for neighbours together, and then without the past', async (t) => {
    const { weather, asked, clock } = await open(t, both);
    const neighbour = { latitude: 59.31, longitude: 18.13 };
    await Promise.all([weather.at(home), weather.at(neighbour), weather.at(home)]);
    clock.advance(59 * minuteMs);
    await weather.at(neighbour);
    assert.equal(asked.length, 1);
    clock.advance(minuteMs);
    const { temperature } = await weather.at(home);
    assert.deepEqual(
      asked.map(({ url }) => url.searchParams.get('past_days')),
      ['43', '2'],
    );
    assert.equal(at(temperature, hour - 40 * dayMs), 12); // kept
  });

  test('comes from met.no while the other source fails, by clouds, and names the operator', async (t) => {
    const { weather, asked, clock, failOpenMeteo } = await open(t, both);
    failOpenMeteo(503);
    const { temperature, irradiance, note } = await weather.at(home);
    assert.match(textOf({ note }), /MET Norway/);
    assert.equal(asked[1]!.headers['user-agent'], 'Ohmstead/9.9.9 operator@example.org');
    const tomorrow = { start: hour + dayMs, end: hour + dayMs + hourMs };
    const clear = clearSkyOver(tomorrow, { latitude: 59.3, longitude: 18.1 });
    const share = at(irradiance, tomorrow.start) / clear;
    assert.ok(Math.abs(share - (1 - 0.75 * 0.5 ** 3.4)) < 0.001, `${share}`);
    assert.ok(Math.abs(at(temperature, hour + 51 * hourMs) - 5.1) < 0.001); // between two steps of six hours
    assert.ok(Number.isNaN(at(temperature, hour - hourMs))); // it knows nothing of the past
    await weather.at({ latitude: 63, longitude: 10 });
    assert.equal(asked.length, 3); // the failing source has a pause
    clock.advance(minuteMs);
    await weather.at({ latitude: 64, longitude: 10 });
    assert.equal(asked.length, 5);
  });

  test('asks met.no only for changes', async (t) => {
    const { weather, asked, clock } = await open(t, 'met-no');
    await weather.at(home);
    clock.advance(7 * hourMs);
    const { note, temperature } = await weather.at(home);
    assert.deepEqual(
      asked.map(({ headers }) => headers['if-modified-since']),
      [undefined, modified],
    );
    assert.match(textOf({ note }), /MET Norway \(CC BY 4\.0\)\.$/);
    assert.ok(Math.abs(at(temperature, hour + 10 * hourMs) - 1) < 0.001);
  });

  for (const { says, answer } of [
    { says: 'an error', answer: (_, response) => response.writeHead(500).end() },
    { says: 'a closed connection', answer: ({ socket }) => socket.destroy() },
    { says: 'a redirect', answer: (_, response) => response.writeHead(302, { location: '/elsewhere' }).end() },
    { says: 'text', answer: (_, response) => response.end('<html>') },
    { says: 'another form', answer: (_, response) => response.end('{"hourly":{"time":4}}') },
    {
      says: 'impossible values',
      answer: (_, response) =>
        response.end(
          JSON.stringify({ hourly: { time: [hour / 1000], temperature_2m: [1e9], shortwave_radiation: ['4'] } }),
        ),
    },
    { says: 'two megabytes', answer: (_, response) => response.end(Buffer.alloc(2_000_000, ' ')) },
  ] satisfies { says: string; answer: RequestListener }[]) {
    test(`is unknown, without an exception, if the answer is ${says}`, async (t) => {
      const { weather, answerWith, asked } = await open(t, 'open-meteo');
      answerWith(answer);
      const { note, ...values } = await weather.at(home);
      assert.match(textOf({ note }), /^No weather source has answered/);
      assert.deepEqual([values, asked.length], [{}, 1]);
    });
  }

  test('keeps the last weather while sources fail, reports its age, and waits as long as Retry-After demands', async (t) => {
    const { weather, clock, answerWith, asked } = await open(t, 'open-meteo');
    await weather.at(home);
    answerWith((_, response) => response.writeHead(429, { 'retry-after': '28800' }).end());
    clock.advance(hourMs);
    for (let hours = 0; hours < 7; hours++, clock.advance(hourMs)) await weather.at(home);
    assert.equal(asked.length, 2);
    const { note, temperature } = await weather.at(home);
    assert.match(textOf({ note }), /last received at 2026-06-18 12:20/);
    assert.equal(at(temperature, hour + dayMs), 12);
    answerWith(undefined);
    clock.advance(hourMs);
    assert.doesNotMatch(textOf(await weather.at(home)), /last received/);
  });

  test('a place that a source refuses does not concern other places', async (t) => {
    const { weather, failOpenMeteo, answerWith, asked } = await open(t, both);
    failOpenMeteo(400);
    assert.match(textOf(await weather.at(home)), /MET Norway/);
    answerWith(undefined);
    assert.match(textOf(await weather.at({ latitude: 63, longitude: 10 })), /Open-Meteo/);
    assert.equal(asked.length, 3);
  });

  test('is fetched for at most 60 places in a minute', async (t) => {
    const { weather, asked, clock } = await open(t, 'open-meteo');
    const ask = (n: number) => weather.at({ latitude: n / 10, longitude: 10 });
    for (let n = 0; n < 62; n++) await ask(n);
    assert.equal(asked.length, 60);
    assert.match(textOf(await ask(61)), /No weather source/);
    clock.advance(10 * minuteMs);
    assert.match(textOf(await ask(61)), /Open-Meteo/);
  });

  test('is not asked for without a position', async (t) => {
    const { weather, asked } = await open(t, both);
    assert.match(textOf(await weather.at({ latitude: null, longitude: null })), /no position/);
    assert.equal(asked.length, 0);
  });

  test('is off unless sources are set, and met.no is not used without a contact', async (t) => {
    assert.equal((await open(t, '')).isOff, true);
    assert.equal((await open(t, 'met-no', '')).isOff, true);
    const { weather, asked, answerWith } = await open(t, both, '');
    answerWith((_, response) => response.writeHead(500).end());
    await weather.at(home);
    assert.equal(asked.length, 1);
  });
});
