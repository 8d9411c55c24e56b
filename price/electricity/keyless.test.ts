import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openSpot } from '#test/price/spot-market.ts';
import { findArea } from './areas.ts';
import { createEntsoe } from './entsoe.ts';
import { createKeylessSource, keylessSources } from './keyless.ts';
import { hourlyMeans } from './market-day.ts';
import { createUpstream } from './upstream.ts';

const formOf = (id: string) => keylessSources.find((form) => form.id === id)!;
const { signal } = new AbortController();

suite('a source without an account', () => {
  for (const { id, area, dates } of [
    { id: 'energy_charts', area: 'DE', dates: ['2025-09-30', '2025-10-01', '2026-03-29', '2026-10-25'] },
    { id: 'energy_charts', area: 'IT_SICI', dates: ['2026-05-01'] },
    { id: 'elprisetjustnu', area: 'SE1', dates: ['2025-09-30', '2026-03-29', '2026-10-25'] },
    { id: 'hvakosterstrommen', area: 'NO5', dates: ['2026-03-29', '2026-05-01'] },
    { id: 'energidataservice', area: 'DK1', dates: ['2025-09-30', '2025-10-01', '2026-10-25'] },
    { id: 'elering', area: 'EE', dates: ['2026-03-29', '2026-10-25'] },
    { id: 'elering', area: 'LT', dates: ['2026-05-01'] },
    { id: 'nordpool', area: 'AT', dates: ['2026-03-29', '2026-05-01'] },
    { id: 'nordpool', area: 'FI', dates: ['2026-05-01'] },
  ]) {
    test(`${id} returns the same prices of ${area} as the market`, async () => {
      await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
      const source = createKeylessSource(formOf(id), createUpstream(), spot.market.keylessUrls[id]);
      for (const date of dates) {
        const told = await source.fetchDay(findArea(area)!, date, signal);
        assert.deepEqual(told?.points, (await spot.prices.day(findArea(area)!, date))?.points);
        assert.ok(told?.isSimulated);
      }
    });
  }

  for (const [area, date] of [
    ['DE', '2026-03-29'],
    ['AT', '2026-10-25'],
  ] as const) {
    test(`awattar returns the hours of ${area}`, async () => {
      await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
      const source = createKeylessSource(formOf('awattar'), createUpstream(), spot.market.keylessUrls.awattar);
      const told = await source.fetchDay(findArea(area)!, date, signal);
      assert.deepEqual(told?.points, hourlyMeans((await spot.prices.day(findArea(area)!, date))!.points));
    });
  }

  for (const { id, areas } of keylessSources) {
    test(`${id} covers its areas and has no prices before publication`, async () => {
      for (const code of Object.keys(areas)) assert.ok(findArea(code)?.isPriced, code);
      await using spot = await openSpot({ at: '2026-11-14T11:10Z' });
      const source = createKeylessSource(formOf(id), createUpstream(), spot.market.keylessUrls[id]);
      const area = findArea(Object.keys(areas)[0]!)!;
      assert.ok(await source.fetchDay(area, '2026-11-14', signal));
      assert.equal(await source.fetchDay(area, '2026-11-15', signal), undefined);
    });

    for (const fault of ['html', 'empty', 'cut in half', 'huge'] as const) {
      test(`${id} with ${fault} is refused`, async () => {
        await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
        spot.market.setFault(fault);
        const source = createKeylessSource(formOf(id), createUpstream(), spot.market.keylessUrls[id]);
        const area = findArea(Object.keys(areas)[0]!)!;
        await assert.rejects(source.fetchDay(area, '2026-11-14', signal), { name: 'SourceError' });
      });
    }
  }

  for (const body of ['null', '[]', '{}', '5', '{"price":[1],"unix_seconds":[1]}', '{"price":{},"unix_seconds":[]}']) {
    test(`a response ${body} is refused`, async () => {
      const fetch = async () => new Response(body);
      const source = createKeylessSource(formOf('energy_charts'), createUpstream(fetch));
      const told = source.fetchDay(findArea('SE4')!, '2026-11-14', signal).catch((error: Error) => error.name);
      assert.ok([undefined, 'SourceError'].includes((await told) as never));
    });
  }
});

test('a day of Energi Data Service without its last price is not published yet', async () => {
  const at = (n: number): string => new Date(Date.parse('2026-11-13T23:00Z') + n * 900_000).toISOString().slice(0, 19);
  const records = Array.from({ length: 96 }, (_, n) => ({ TimeUTC: at(n), DayAheadPriceEUR: n === 95 ? null : n }));
  const source = createKeylessSource(
    formOf('energidataservice'),
    createUpstream(async () => Response.json({ records })),
  );
  assert.equal(await source.fetchDay(findArea('DK1')!, '2026-11-14', signal), undefined);
});

for (const { says, areaStates, points } of [
  { says: 'final', areaStates: [{ state: 'Final', areas: ['SE3', 'SE4'] }], points: 24 },
  { says: 'preliminary', areaStates: [{ state: 'Preliminary', areas: ['SE3', 'SE4'] }], points: undefined },
  {
    says: 'final while those of others are not',
    areaStates: [
      { state: 'Preliminary', areas: ['FI'] },
      { state: 'Final', areas: ['SE3'] },
    ],
    points: 24,
  },
  { says: 'of no state', areaStates: undefined, points: 24 },
]) {
  test(`prices of Nord Pool that are ${says} are ${points ? '' : 'not '}used`, async () => {
    const at = (n: number): string => new Date(Date.parse('2026-11-13T23:00Z') + n * 3_600_000).toISOString();
    const multiAreaEntries = Array.from({ length: 24 }, (_, n) => ({
      deliveryStart: at(n),
      deliveryEnd: at(n + 1),
      entryPerArea: { SE3: n },
    }));
    const answer = async () => Response.json({ multiAreaEntries, ...(areaStates && { areaStates }) });
    const source = createKeylessSource(formOf('nordpool'), createUpstream(answer));
    assert.equal((await source.fetchDay(findArea('SE3')!, '2026-11-14', signal))?.points.length, points);
  });
}

suite('requests over HTTP', () => {
  test('revalidate a response that has not changed', async () => {
    await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
    const statuses: number[] = [];
    const upstream = createUpstream(async (...call) => {
      const response = await fetch(...call);
      statuses.push(response.status);
      return response;
    });
    const source = createKeylessSource(formOf('elprisetjustnu'), upstream, spot.market.keylessUrls.elprisetjustnu);
    const first = await source.fetchDay(findArea('SE3')!, '2026-11-14', signal);
    assert.deepEqual(await source.fetchDay(findArea('SE3')!, '2026-11-14', signal), first);
    assert.deepEqual(statuses, [200, 304]);
  });

  test('read a day with more than a hundred documents page by page', async () => {
    const first = Date.parse('2026-11-13T23:00Z') - 118 * 86_400_000;
    const iso = (day: number): string => new Date(first + day * 86_400_000).toISOString();
    const offsets: (string | null)[] = [];
    const series = (day: number): string =>
      `<TimeSeries><curveType>A03</curveType><Period><timeInterval><start>${iso(day)}</start><end>${iso(day + 1)}</end></timeInterval>
       <resolution>PT60M</resolution><Point><position>1</position><price.amount>${day}</price.amount></Point></Period></TimeSeries>`;
    const fetch = async (url: unknown): Promise<Response> => {
      const offset = (url as URL).searchParams.get('offset');
      offsets.push(offset);
      const tooMany = `<Acknowledgement_MarketDocument><Reason><text>The number of instances (119) exceeds the allowed maximum (100).</text></Reason></Acknowledgement_MarketDocument>`;
      const days = Array.from({ length: 119 }, (_, n) => n).slice(Number(offset), Number(offset) + 100);
      const document = `<Publication_MarketDocument><type>A44</type>${days.map(series).join('')}</Publication_MarketDocument>`;
      return new Response(offset === null ? tooMany : document);
    };
    const who = { id: 'entsoe', name: 'ENTSO-E', description: '' };
    const source = createEntsoe({
      ...who,
      url: 'http://market/api',
      token: 't',
      upstream: createUpstream(fetch),
    });
    const day = await source.fetchDay(findArea('SE3')!, '2026-11-14', signal);
    assert.deepEqual(offsets, [null, '0', '100']);
    assert.equal(day?.points.length, 24);
    assert.equal(day?.points[0]?.eur_per_mwh, 118);
  });
});
