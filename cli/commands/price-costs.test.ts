import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Bill, Cheapest, TotalPrice } from '#contract/price/total.ts';
import { formatTime } from '#contract/time.ts';
import { listenWithMarket } from '#test/price/listening-price.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { resultOf, runInProcess } from '../testing/in-process.ts';
import { openMeteredHome } from '../testing/metered-home.ts';
import { openPlatform } from '../testing/people.ts';

const opened = new AsyncDisposableStack();
after(() => opened.disposeAsync());
const folder = temporaryFolder({ after });
process.env.TZ = 'Europe/Stockholm';
const env = { OHMSTEAD_CONFIG_DIR: folder };
const goteborg = '2d3d3e89-9fb0-4db4-be93-806a0e891fe8';
let url = '';

before(async () => {
  ({ url } = opened.use(await listenWithMarket(join(folder, 'data'))));
});

const ask = (...args: string[]) => runInProcess([...args, '--url', url], env);
const result = <T>(...args: string[]) => resultOf<T>([...args, '--url', url], env);

suite('ohmstead price cheapest', () => {
  test('names the cheapest hours in local time, with their mean and source', async () => {
    const { code, out } = await ask('price', 'cheapest', 'SE3', '--hours', '2', '--resolution', 'PT60M');
    assert.equal(code, 0);
    const times =
      /^Cheapest in SE3: (\d{4}-\d\d-\d\d \d\d:00\S*) to \d{4}-\d\d-\d\d \d\d:00\S* \(Europe\/Stockholm\)\.$/m;
    const first = times.exec(out)![1]!;
    assert.match(out, /^-?\d+\.\d{4} SEK for a kWh on average, with 25 % VAT\.$/m);
    assert.equal(out.match(/^\d{4}-\d\d-\d\d \d\d:00\S* {2}-?\d+\.\d{4}$/gm)!.length, 2);
    assert.ok(out.includes(`\n${first}  `) && /Simulated market \(simulated/.test(out));
  });

  test('finds what the total price shows as the cheapest', async () => {
    const found = await result<Cheapest>('price', 'cheapest', 'SE3', '--hours', '1', '--resolution', 'PT60M');
    const { intervals } = await result<TotalPrice>('price', 'total', 'SE3', '--from', 'now');
    assert.equal(found.average, Math.min(...intervals.map(({ total }) => total)));
  });

  test('keeps to the time in which they must be over', async () => {
    const { start, end } = await result<Cheapest>('price', 'cheapest', 'SE3', '--hours', '1', '--before', '5h');
    assert.ok(Date.parse(end) <= Date.now() + 5 * 3_600_000 && Date.parse(start) > Date.now() - 1000);
  });

  for (const { args, code, says } of [
    { args: ['SE3', '--before', 'soon'], code: 2, says: /^--before is not a valid time\. Use tomorrow, 07:00/ },
    { args: ['SE3', '--hours', 'few'], code: 2, says: /^--hours must be a number\.$/ },
    { args: ['SE3', '--hours', '1.1'], code: 1, says: /^--hours must be a multiple of 0\.25\.$/ },
    { args: [], code: 2, says: /^Give a price area, for example: --area SE3/ },
  ]) {
    test(`price cheapest ${args.join(' ')} is answered with a sentence`, async () => {
      const { code: got, err } = await ask('price', 'cheapest', ...args);
      assert.equal(got, code);
      assert.match(err.split('\n')[0]!, says);
    });
  }
});

suite('ohmstead price bill', () => {
  const fileOf = (name: string, lines: readonly string[]): string => {
    const file = join(folder, name);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  };

  test('bills a file of the meter line by line, and its lines add up', async () => {
    const rows = Array.from({ length: 48 }, (_, n) => {
      const start = new Date(Date.UTC(2026, 0, 14, n)).toISOString();
      return `${start},${n === 20 ? 6.1 : 0.3}`;
    });
    const file = fileOf('january.csv', ['start,import_kwh', ...rows]);
    const { code, out } = await ask('price', 'bill', 'SE3', '--csv', file, '--tariff', goteborg, '--markup', '0.08');
    assert.equal(code, 0, out);
    assert.match(out, /^SE3, 2026-01-14 01:00 to 2026-01-16 01:00 \(Europe\/Stockholm\): 20\.2 kWh used$/m);
    for (const line of [
      /^Spot price +20\.2 +kWh +0\.\d{4} +\d+\.\d\d$/m,
      /^Markup +20\.2 +kWh +0\.0800 +1\.62$/m,
      /^Effektavgift, 10 % of the month +2\.233 +kW +/m,
      /^VAT 25 %/m,
    ])
      assert.match(out, line);
    assert.match(out, /^ {2}peak 2026-01-14 21:00 +6\.1 +kW$/m);
    assert.doesNotMatch(out, /\d\.\d{5}/);
    const { total, lines } = await result<Bill>('price', 'bill', 'SE3', '--csv', file, '--tariff', goteborg);
    assert.equal(Math.round(lines.reduce((sum, { amount }) => sum + amount, 0) * 100) / 100, total);
  });

  test('reads local times of a Swedish spreadsheet, the hour that comes twice included', async () => {
    const hours = ['00', '01', '02', '02', '03', '04'];
    const file = fileOf('october.csv', ['start;import_kwh', ...hours.map((hour) => `2026-10-25 ${hour}:00;1,5`)]);
    const { metadata } = await result<Bill>('price', 'bill', 'SE3', '--csv', file);
    assert.deepEqual(
      [metadata.from, metadata.to, metadata.total_points, metadata.import_kwh],
      ['2026-10-24T22:00:00.000Z', '2026-10-25T04:00:00.000Z', 6, 9],
    );
    const withEnds = hours.map((hour, n) => `2026-10-25 ${hour}:00;2026-10-25 ${hours[n + 1] ?? '05'}:00;1,5`);
    const { metadata: same } = await result<Bill>(
      'price',
      'bill',
      'SE3',
      '--csv',
      fileOf('ends.csv', ['start;end;import_kwh', ...withEnds]),
    );
    assert.deepEqual([same.from, same.to, same.import_kwh], [metadata.from, metadata.to, 9]);
    const { out } = await ask('price', 'bill', 'SE3', '--csv', file);
    assert.match(out, /^SE3, 2026-10-25 00:00\+02:00 to 2026-10-25 05:00\+01:00/);
  });

  for (const { says, lines, args = [], code = 1, sentence } of [
    {
      says: 'a word for a number',
      lines: ['start,import_kwh', '2026-01-14T00:00:00Z,much'],
      sentence: 'Line 2, import_kwh must be a number.',
    },
    {
      says: 'other columns',
      lines: ['time,kwh', 'x,1'],
      sentence: 'The first line must name columns of start, end, import_kwh, export_kwh.',
    },
    {
      says: 'intervals in disorder',
      lines: ['start,import_kwh', '2026-01-14T02:00:00Z,1', '2026-01-14T01:00:00Z,1'],
      sentence: /^Interval 1 end must be 15, 30 or 60 minutes/,
    },
    {
      says: 'a range beside it',
      lines: ['start,import_kwh'],
      args: ['--from', '7d'],
      code: 2,
      sentence: /^--from and --to work only with the history/,
    },
  ]) {
    test(`a file with ${says} is answered with a sentence`, async () => {
      const { code: got, err } = await ask('price', 'bill', 'SE3', '--csv', fileOf('wrong.csv', lines), ...args);
      assert.equal(got, code, err);
      const [first] = err.split('\n');
      if (typeof sentence === 'string') assert.equal(first, sentence);
      else assert.match(first!, sentence);
    });
  }

  test('bills the history of a site with its area and tariff, in quarter-hours of its meter', async (t) => {
    const platform = await openPlatform();
    t.after(() => platform.close());
    const { person, begin, end } = await openMeteredHome(platform, '--tariff-id', goteborg);
    const range = ['--from', formatTime(begin), '--to', formatTime(end)];
    const args = ['price', 'bill', '--site', 'House', ...range, '--url', url];
    const { tariff_id, metadata } = await person.result<Bill>(...args);
    assert.deepEqual([tariff_id, metadata.import_kwh, metadata.export_kwh, metadata.total_points], [goteborg, 3, 0, 3]);
    const { code, out } = await person.run(...args);
    assert.equal(code, 0);
    assert.match(out, /: 3 kWh used$/m);
    assert.match(out, /^1 quarter-hour was not measured and is not included in the bill\.$/m);
    const empty = await person.run(
      'price',
      'bill',
      '--site',
      'House',
      '--from',
      '2026-01-01',
      '--to',
      '2026-01-02',
      '--url',
      url,
    );
    assert.deepEqual([empty.code, empty.err.startsWith('The energy of House was not measured')], [1, true]);
  });

  test('without a file and without a sign-in reports the missing sign-in', async () => {
    const { code, err } = await ask('price', 'bill', 'SE3');
    assert.equal(code, 1);
    assert.match(err, /^You are not signed in/);
  });
});

suite('ohmstead tariffs find', () => {
  type Found = { id: string; name: string; operator: string; area?: string; valid_to: string; assumed?: true };

  test('finds the tariffs of a place by its name, those of its bidding zone alone', async () => {
    for (const place of ['Malmö', 'malmo']) {
      const found = await result<Found[]>('tariffs', 'find', place);
      assert.deepEqual(
        [...new Set(found.map(({ operator, area }) => `${operator} ${area}`))],
        ['E.ON Energidistribution AB SE4'],
      );
      const capacity = found.filter(({ name }) => /0,4kV|80 A/.test(name));
      assert.deepEqual(
        capacity.map(({ name, assumed }) => [name, assumed]),
        [
          ['Capacity 0,4kV - SE4', undefined],
          ['Lågspänning 80 A (SE4)', undefined],
        ],
      );
    }
  });

  test('finds them by operator, by words of the name, and by position', async () => {
    const namesOf = async (...args: string[]) =>
      (await result<Found[]>('tariffs', 'find', ...args)).map(({ name }) => name);
    assert.deepEqual(
      new Set(await namesOf('ellevio', 'eff-')),
      new Set(['Effekt 16–25 A', 'Effekt 35 A', 'Effekt 50 A', 'Effekt 63 A']),
    );
    assert.deepEqual(new Set(await namesOf('ellevio', '35')), new Set(['Effekt 35 A', 'Säkring 35 A']));
    assert.ok((await namesOf('karlstads-elnat'.replace('-', ' '))).length === 2);
    assert.deepEqual(new Set(await namesOf('tidsindelad', '14')), new Set(['Tidsindelad 14 kW, Max 63A']));
    assert.ok((await namesOf('--at', '59.33,18.06')).includes('Säkring 16 A'));
    assert.ok((await namesOf('Göteborg', '43')).every((name) => name === 'Tidsindelad 43 kW, Max 63A'));
  });

  test('shows the id to use, and that a price list has expired', async () => {
    const { code, out } = await ask('tariffs', 'find', 'karlstads elnat', '16');
    assert.equal(code, 0);
    assert.match(
      out,
      /^ID +OPERATOR +TARIFF +VALID\n[0-9a-f-]{36} +Karlstads Elnät AB +Effekttariff 16–63 A +2025-01-01 to 2026-01-01, expired$/m,
    );
    assert.match(
      out,
      /Expired tariffs are used as the last known prices\.\nUse one with: ohmstead price total --tariff ID/,
    );
  });

  for (const { args, code, says } of [
    { args: [], code: 2, says: /^Give an operator, a place or a tariff/ },
    { args: ['nowhere at all'], code: 1, says: /^No tariff found/ },
    { args: ['--at', '59.91,10.75'], code: 1, says: /is outside Sweden/ },
  ]) {
    test(`tariffs find ${args.join(' ')} is answered with a sentence`, async () => {
      const { code: got, err } = await ask('tariffs', 'find', ...args);
      assert.equal(got, code);
      assert.match(err.split('\n')[0]!, says);
    });
  }
});
