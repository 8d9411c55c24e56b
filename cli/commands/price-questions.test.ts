import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TotalPrice } from '#contract/price/total.ts';
import { listenWithMarket } from '#test/price/listening-price.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { resultOf, runInProcess } from '../testing/in-process.ts';

const opened = new AsyncDisposableStack();
after(() => opened.disposeAsync());
const folder = temporaryFolder({ after });
process.env.TZ = 'Europe/Stockholm';
const env = { OHMSTEAD_CONFIG_DIR: folder };
let url = '';

before(async () => {
  ({ url } = opened.use(await listenWithMarket(join(folder, 'data'))));
});

const ask = (...args: string[]) => runInProcess(['price', ...args, '--url', url], env);

test('now: the price with its place in the day, its currency, VAT and source', async () => {
  const { code, out } = await ask('now', '--area', 'SE3');
  assert.equal(code, 0);
  assert.match(
    out,
    /^-?\d+\.\d{4} SEK for a kWh in SE3 from \d\d:00\S* to \d\d:00\S* \(Europe\/Stockholm\): spot, without VAT\./,
  );
  assert.match(out, /\nThe \d+(st|nd|rd|th) cheapest of 2[345] hours today/);
  assert.match(out, /Simulated market \(simulated, not a real market\)/);
});

test('the area may stand right behind the command', async () => {
  for (const word of ['now', 'today', 'total']) {
    const range = word === 'total' ? ['--from', '2026-01-14', '--to', '2026-01-15'] : [];
    const named = await ask(word, 'SE3', ...range);
    assert.deepEqual([named.code, named.err], [0, '']);
    assert.deepEqual(named, await ask(word, '--area', 'SE3', ...range));
  }
});

test('hours of a day when the clocks change have their offset, so that none stands there twice', async () => {
  for (const [from, to, hours] of [
    ['2026-10-25', '2026-10-26', 25],
    ['2026-03-29', '2026-03-30', 23],
  ] as const) {
    const { out } = await ask('total', 'SE3', '--from', from, '--to', to);
    const rows = out.match(new RegExp(`^${from} \\d\\d:00[+]0[12]:00`, 'gm'))!;
    assert.deepEqual([rows.length, new Set(rows).size], [hours, hours]);
  }
});

test('numbers have no digits that come from the calculation', async () => {
  const texts = await Promise.all(
    [['now'], ['today'], ['now', '--json'], ['today', '--json'], ['total']].map(([word, ...rest]) =>
      ask(word!, 'SE3', ...rest),
    ),
  );
  for (const { out } of texts) assert.doesNotMatch(out, /\d\.\d{7}/);
});

test('notes name options instead of API fields', async () => {
  const { out } = await ask('total', 'PL');
  assert.match(out, /No grid tariff was given \(--tariff\)/);
  assert.match(out, /it can be set \(--vat\)/);
});

type Now = { price: number; rank: number; hours: number; lowest: number; highest: number; is_simulated: boolean };
type Day = { date: string; intervals: { price: number; is_cheapest: boolean }[] };

test('now and today agree', async () => {
  const now = await resultOf<Now>(['price', 'now', '--area', 'FI', '--url', url], env);
  const { days } = await resultOf<{ days: Day[] }>(['price', 'today', '--area', 'FI', '--url', url], env);
  const prices = days[0]!.intervals.map(({ price }) => price);
  assert.deepEqual(
    [now.hours, now.lowest, now.highest, now.is_simulated],
    [prices.length, Math.min(...prices), Math.max(...prices), true],
  );
  assert.equal(now.rank, 1 + prices.filter((price) => price < now.price).length);
});

test('today: a bar for each hour, the three cheapest of each day marked, tomorrow or that it is not out', async () => {
  const { code, out } = await ask('today', '--area', 'SE3');
  assert.equal(code, 0);
  const days = out.split(/^(?:Today|Tomorrow), /m).slice(1);
  for (const day of days) {
    const rows = day.match(/^\d\d:00(?:[+]\d\d:\d\d)?[* ] +-?\d\.\d{4}.*$/gm)!;
    assert.ok(rows.length >= 23 && rows.length <= 25);
    assert.equal(rows.filter((row) => row.includes('*')).length, 3);
  }
  assert.equal((out.match(/ < now$/gm) ?? []).length, 1);
  assert.equal(days.length === 2, !/Prices for tomorrow are not published yet/.test(out));
});

test('total: every part has its column, and the parts add up', async () => {
  const args = ['price', 'total', '--at', '57.70,11.97', '--markup', '0.05', '--url', url];
  const tariff = '2d3d3e89-9fb0-4db4-be93-806a0e891fe8';
  const range = ['--from', '2026-01-14', '--to', '2026-01-15', '--tariff', tariff];
  const { code, out } = await runInProcess([...args, ...range], env);
  assert.equal(code, 0);
  assert.match(
    out,
    new RegExp(`^SE3: SEK for a kWh, with 25 % VAT, grid tariff ${tariff}; times in Europe/Stockholm\n`),
  );
  assert.match(out, /^FROM +TOTAL +SPOT +MARKUP +GRID +TAX +VAT$/m);
  const rows = out.match(/^2026-01-14 \d\d:00 .*$/gm)!.map((row) => row.split(/ {2,}/).slice(1).map(Number));
  assert.equal(rows.length, 24);
  for (const [total, ...parts] of rows) {
    assert.ok(Math.abs(total! - parts.reduce((sum, part) => sum + part, 0)) < 0.0004);
  }
  const answer = await resultOf<TotalPrice>([...args, ...range], env);
  assert.equal(answer.intervals.length, 24);
});

test('total: days are those of the market, wherever the machine is', async (t) => {
  process.env.TZ = 'Pacific/Auckland';
  t.after(() => {
    process.env.TZ = 'Europe/Stockholm';
  });
  const total = (...range: string[]) =>
    resultOf<TotalPrice>(['price', 'total', '--area', 'SE3', ...range, '--url', url], env);
  const long = await total('--from', '2026-10-25', '--to', '2026-10-26');
  assert.deepEqual([long.intervals.length, long.intervals[0]!.start], [25, '2026-10-24T22:00:00.000Z']);
  const [usual, today] = [await total(), await total('--from', 'today')];
  assert.equal(today.intervals[0]!.start, usual.intervals[0]!.start);
  const yesterday = await total('--from', 'yesterday', '--to', 'today');
  assert.equal(yesterday.intervals.at(-1)!.end, today.intervals[0]!.start);
});

test('total: a position without a tariff lists the grid operator and its tariffs', async () => {
  const { out } = await ask('total', '--at', '57.70,11.97');
  assert.match(
    out,
    /The grid operator there is Göteborg Energi Nät AB; add its fees with --tariff:\n {2}[0-9a-f-]{36} /,
  );
});

for (const { args, code, says } of [
  { args: ['now'], code: 2, says: 'Give a price area, for example: --area SE3, or one of your sites with --site.' },
  { args: ['now', 'SE3', '--area', 'SE4'], code: 2, says: 'Give one price area, not both SE3 and SE4.' },
  { args: ['total', 'SE3', '--vat', '101'], code: 1, says: /^--vat must be / },
  { args: ['total', 'SE3', '--from', '2026-01-02', '--to', '2026-01-01'], code: 1, says: /^--to must be later/ },
  { args: ['now', '--site', 'x'], code: 1, says: /^You are not signed in/ },
  { args: ['now', '--area', 'XX'], code: 1, says: 'The area XX is not supported.' },
  { args: ['today', '--at', 'here'], code: 2, says: '--at must be latitude,longitude, for example: --at 57.70,11.97.' },
  { args: ['total', '--area', 'SE3', '--markup', 'some'], code: 2, says: '--markup must be a number.' },
  { args: ['total', '--area', 'SE3', '--from', 'soon'], code: 2, says: /^--from is not a valid time\. Use / },
  { args: ['total', '--area', 'SE3', '--tariff', 'x'], code: 1, says: /x/ },
  {
    args: ['total', '--area', 'SE3', '--resolution', 'PT5M'],
    code: 2,
    says: /^--resolution must be one of PT15M, PT60M/,
  },
]) {
  test(`price ${args.join(' ')} is answered with a sentence`, async () => {
    const { code: got, out, err } = await ask(...args);
    assert.deepEqual([got, out], [code, '']);
    const [sentence] = err.split('\n');
    if (typeof says === 'string') assert.equal(sentence, says);
    else assert.match(sentence!, says);
  });
}

test('an unreachable service is reported with what to do', async () => {
  const { code, err } = await runInProcess(['price', 'now', '--area', 'SE3', '--url', 'http://127.0.0.1:1'], env);
  assert.deepEqual(
    [code, err],
    [
      1,
      'Cannot reach a price service at http://127.0.0.1:1. Start one with ohmstead price and give its address with --url.\n',
    ],
  );
});
