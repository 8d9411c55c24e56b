import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { Problem } from '#contract/problem.ts';
import { amount } from '#test/amount.ts';
import { startStopwatch } from '#test/stopwatch.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { decodeRing, encodePolygons, encodeRing, operatorId } from './area-file.ts';
import { createAreaIndex } from './area-index.ts';
import { openPlaces, shippedPlaces } from './places.ts';

const places = openPlaces({ folder: shippedPlaces });

for (const [town, lat, lon, area, providerId] of [
  ['Göteborg', 57.7, 11.97, 'SE3', 'goteborg_energi_nat'],
  ['Linköping', 58.41, 15.62, 'SE3', 'tekniska_verken_linkoping_nat'],
  ['Kalmar', 56.66, 16.36, 'SE4', 'kalmar_energi_elnat'],
  ['Malmö', 55.6, 13.0, 'SE4', 'eon_energidistribution'],
  ['Lund', 55.7, 13.19, 'SE4', 'kraftringen_nat'],
  ['Växjö', 56.88, 14.81, 'SE4', 'vaxjo_energi_elnat'],
  ['Skövde', 58.39, 13.85, 'SE3', 'skovde_energi_elnat'],
  ['Varberg', 57.11, 12.25, 'SE3', 'varberg_energi_elnat'],
  ['Stockholm', 59.33, 18.07, 'SE3', 'ellevio'],
  ['Uppsala', 59.86, 17.64, 'SE3', 'vattenfall_eldistribution'],
  ['Östersund', 63.18, 14.64, 'SE2', 'jamtkraft_elnat'],
  ['Västerås', 59.61, 16.55, 'SE3', 'malarenergi_elnat'],
  ['Visby', 57.64, 18.3, 'SE3', 'gotlands_elnat'],
  ['Kiruna', 67.855, 20.225, 'SE1', 'jukkasjarvi_belysningsforening'],
  ['Luleå, which is just outside its zone', 65.584, 22.154, 'SE1', 'lulea_energi_elnat'],
] as const) {
  test(`${town} is found`, async () => {
    const place = await places.locate(lat, lon);
    assert.deepEqual([place.area, place.providerId], [area, providerId]);
  });
}

for (const [town, lat, lon] of [
  ['Oslo', 59.91, 10.75],
  ['Copenhagen', 55.676, 12.568],
  ['Helsinki', 60.17, 24.94],
  ['the Baltic', 58, 19.5],
  ['the North Pole', 90, 0],
  ['the edge of the map', -90, -180],
] as const) {
  test(`${town} is outside Sweden`, async () => {
    await assert.rejects(places.locate(lat, lon), (error) => error instanceof Problem && error.status === 404);
  });
}

test('a position is found in less than a millisecond', async () => {
  const count = 5000;
  const stopwatch = startStopwatch();
  for (let index = 0; index < count; index++) {
    const [lat, lon] = [55.4 + (index % 100) * 0.13, 11.2 + ((index * 7) % 100) * 0.12];
    await places.locate(lat, lon).catch((error: unknown) => assert.ok(error instanceof Problem));
  }
  assert.ok(stopwatch.ms() / count < 1);
});

test('an own map replaces the shipped one', async (t) => {
  const ownFolder = temporaryFolder({ after });
  const square = [
    [
      [
        [11, 57],
        [13, 57],
        [13, 58],
        [11, 58],
        [11, 57],
      ],
    ],
  ] as const;
  const area = {
    id: '1',
    operator: 'Mitt Nät AB',
    provider: 'mitt_nat',
    polygons: encodePolygons(square, 0.0001),
  };
  writeFileSync(join(ownFolder, 'concessions.json'), JSON.stringify({ source: 'test', step: 0.0001, areas: [area] }));
  const own = openPlaces({ folder: shippedPlaces, ownFolder });
  assert.deepEqual(await own.locate(57.7, 11.97), {
    area: 'SE3',
    operator: 'Mitt Nät AB',
    providerId: 'mitt_nat',
    municipality: '1480',
  });
  t.diagnostic('outside it the municipality decides');
  assert.equal((await own.locate(59.33, 18.07)).providerId, 'ellevio');
});

test('a ring survives encoding and decoding', () => {
  const points = fc.array(fc.integer({ min: -1_800_000, max: 1_800_000 }), { maxLength: 200 });
  fc.assert(fc.property(points, (steps) => assert.deepEqual([...decodeRing(encodeRing(steps))], steps)));
  assert.throws(() => decodeRing('AB!'), /index 2/);
});

/** Sums the angles under which the edges are seen: a full turn inside, zero outside. */
function windsAround(ring: readonly [number, number][], x: number, y: number): boolean {
  let turned = 0;
  for (const [index, [toX, toY]] of ring.entries()) {
    const [fromX, fromY] = ring.at(index - 1)!;
    const turn = Math.atan2(toY - y, toX - x) - Math.atan2(fromY - y, fromX - x);
    turned += turn > Math.PI ? turn - 2 * Math.PI : turn < -Math.PI ? turn + 2 * Math.PI : turn;
  }
  return Math.abs(turned) > Math.PI;
}

test('a position is inside a star-shaped polygon where it winds around it, and outside in a hole', () => {
  const radii = fc.array(fc.integer({ min: 200, max: 2000 }), { minLength: 3, maxLength: 12 });
  const point = fc.tuple(fc.integer({ min: -2500, max: 2500 }), fc.integer({ min: -2500, max: 2500 }));
  fc.assert(
    fc.property(radii, point, (lengths, [dx, dy]) => {
      const star = lengths.map((length, index): [number, number] => {
        const angle = (2 * Math.PI * index) / lengths.length;
        return [150_000 + Math.round(length * Math.cos(angle)), 580_000 + Math.round(length * Math.sin(angle))];
      });
      const hole = [149_950, 579_950, 150_050, 579_950, 150_050, 580_050, 149_950, 580_050];
      const polygons = [[encodeRing(star.flat()), encodeRing(hole)]];
      const index = createAreaIndex({ source: '', step: 0.0001, areas: [{ id: 'star', polygons }] });
      const [x, y] = [150_000 + dx + 0.31, 580_000 + dy + 0.17]; // not on an edge
      const isInHole = Math.abs(dx + 0.31) < 50 && Math.abs(dy + 0.17) < 50;
      const found = index.find(x * 0.0001, y * 0.0001)?.id === 'star';
      assert.equal(found, windsAround(star, x, y) && !isInHole);
    }),
    { numRuns: amount(2000) },
  );
});

test('the nearest area has the nearest edge, on either side', () => {
  const areas = [0, 1].map((id) => ({
    id: String(id),
    polygons: [
      [
        encodeRing(
          [150_000, 580_000, 151_000, 580_000, 151_000, 581_000, 150_000, 581_000].map((v, i) =>
            i % 2 ? v + id * 20_000 : v,
          ),
        ),
      ],
    ],
  }));
  const index = createAreaIndex({ source: '', step: 0.0001, areas }); // from 58 to 58.1 and from 60 to 60.1 degrees north
  assert.equal(index.nearest(15.05, 57.9)?.id, '0');
  assert.equal(index.nearest(15.05, 59.04)?.id, '0');
  assert.equal(index.nearest(15.05, 59.06)?.id, '1');
});

for (const [company, id] of [
  ['Vattenfall Eldistribution AB', 'vattenfall_eldistribution'],
  ['AB PiteEnergi', 'piteenergi'],
  ['Öresundskraft AB', 'oresundskraft'],
  ['Sölvesborgs Energi & Vatten AB', 'solvesborgs_energi_vatten'],
  ['Bjäre Kraft ek. för.', 'bjare_kraft'],
  ['Göteborg Energi Nät AB', 'goteborg_energi_nat'],
  ['Abisko Elnät AB (publ)', 'abisko_elnat'],
] as const) {
  test(`the id of ${company} is ${id}`, () => assert.equal(operatorId(company), id));
}
