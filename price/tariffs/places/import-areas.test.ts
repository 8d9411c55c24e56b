import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#contract/problem.ts';
import { createAreaIndex } from './area-index.ts';
import { areasOf, fromSweref } from './import-areas.ts';

test('the control point 55, 12.75 of the mapping agency is converted to within a centimetre', () => {
  const [lon, lat] = fromSweref([356_083.438, 6_097_106.672]);
  assert.ok(Math.abs(lon - 12.75) < 1e-7 && Math.abs(lat - 55) < 1e-7, `${lon} ${lat}`);
});

/** Converts in the other direction, by Snyder's series in powers of the distance from the meridian, accurate to decimetres here. */
function toSweref(lon: number, lat: number): [easting: number, northing: number] {
  const [a, f, k0] = [6_378_137, 1 / 298.257222101, 0.9996];
  const e2 = f * (2 - f);
  const phi = (lat * Math.PI) / 180;
  let arc = 0; // length of the meridian from the equator, summed in small steps
  const parts = 20_000;
  for (let part = 0; part < parts; part++) {
    arc += ((a * (1 - e2)) / (1 - e2 * Math.sin((phi * (part + 0.5)) / parts) ** 2) ** 1.5) * (phi / parts);
  }
  const N = a / Math.sqrt(1 - e2 * Math.sin(phi) ** 2);
  const T = Math.tan(phi) ** 2;
  const C = (e2 / (1 - e2)) * Math.cos(phi) ** 2;
  const A = ((lon - 15) * Math.PI * Math.cos(phi)) / 180;
  const east = A + ((1 - T + C) * A ** 3) / 6 + ((5 - 18 * T + T ** 2 + 72 * C - (58 * e2) / (1 - e2)) * A ** 5) / 120;
  const north =
    A ** 2 / 2 +
    ((5 - T + 9 * C + 4 * C ** 2) * A ** 4) / 24 +
    ((61 - 58 * T + T ** 2 + 600 * C - (330 * e2) / (1 - e2)) * A ** 6) / 720;
  return [500_000 + k0 * N * east, k0 * (arc + N * Math.tan(phi) * north)];
}

for (const [lon, lat] of [
  [11.2, 58.9],
  [12.75, 55.4],
  [15, 60],
  [18.0592, 59.3302],
  [20.2, 67.9],
  [24.1, 65.8],
] as const) {
  test(`${lat}, ${lon} is converted from SWEREF 99 TM to within a metre`, () => {
    const [gotLon, gotLat] = fromSweref(toSweref(lon, lat));
    assert.ok(Math.abs(gotLon - lon) < 1e-5 && Math.abs(gotLat - lat) < 1e-5, `${gotLon} ${gotLat}`);
  });
}

const square = (west: number, south: number, size: number) => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];

const feature = (properties: object, ...rings: number[][][]) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: rings },
});

const options = { source: 'test', providerOf: (company: string) => (company === 'Nät AB' ? 'nat' : undefined) };

test('areas in degrees, with a hole, and a detected company field', () => {
  const file = areasOf(
    { features: [feature({ Lnr: '12A', Företag: 'Nät AB' }, square(15, 58, 1), square(15.4, 58.4, 0.2))] },
    options,
  );
  const [{ polygons, ...area }] = file.areas as never as [{ polygons: string[][] }];
  assert.deepEqual(area, { id: '12A', operator: 'Nät AB', provider: 'nat' });
  const index = createAreaIndex(file);
  assert.equal(index.find(15.1, 58.1)?.id, '12A');
  assert.equal(index.find(15.5, 58.5), undefined, 'the hole');
  assert.equal(polygons[0]!.length, 2);
});

for (const crs of [undefined, { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::3006' } }]) {
  test(`areas in SWEREF 99 TM, ${crs ? 'declared' : 'not declared'}`, () => {
    const geojson = {
      ...(crs && { crs }),
      features: [feature({ company: 'Annat Nät AB' }, square(674_000, 6_580_000, 1000))],
    };
    const index = createAreaIndex(areasOf(geojson, options));
    assert.equal(index.find(18.0592, 59.3302)?.provider, 'annat_nat');
    assert.equal(index.find(18.09, 59.3302), undefined);
  });
}

test('a given company field is used', () => {
  const geojson = { features: [feature({ holder: 'Nät AB', no: 7 }, square(15, 58, 1))] };
  const { areas } = areasOf(geojson, { ...options, companyField: 'holder', idField: 'no' });
  assert.deepEqual([areas[0]!.id, areas[0]!.operator], ['7', 'Nät AB']);
});

for (const [says, geojson, expected] of [
  ['nothing', {}, /at least one area/],
  [
    'an area without a company',
    { features: [feature({ colour: 'red' }, square(15, 58, 1))] },
    /its properties are colour/,
  ],
  [
    'a point',
    { features: [{ properties: { company: 'X' }, geometry: { type: 'Point', coordinates: [1, 2] } }] },
    /Polygon/,
  ],
  ['no geometry', { features: [{ properties: { company: 'X' }, geometry: null }] }, /Polygon/],
  [
    'another projection',
    {
      crs: { properties: { name: 'EPSG:3021' } },
      features: [feature({ company: 'X' }, square(1_500_000, 6_500_000, 9))],
    },
    /SWEREF 99 TM/,
  ],
] as const) {
  test(`${says} is refused`, () => {
    assert.throws(
      () => areasOf(geojson, options),
      (error) => error instanceof Problem && expected.test(error.message),
    );
  });
}
