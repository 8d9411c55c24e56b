import assert from 'node:assert/strict';
import { test } from 'node:test';
import { places, placeWords, positionWords } from './places.ts';

for (const { says, at, words } of [
  { says: 'a town', at: [59.34, 18.05], words: 'Near Stockholm' },
  { says: 'north of a town', at: [59.95, 17.64], words: '10 km north of Uppsala' },
  { says: 'at sea off a town', at: [57.4, 17.5], words: '55 km south-west of Visby' },
  { says: 'west of the meridian', at: [51.5, -0.3], words: '12 km west of London' },
  { says: 'nowhere', at: [72, -30], words: undefined },
] as const) {
  test(`a position is named by the closest town: ${says}`, () => assert.equal(placeWords(at[0], at[1]), words));
}

test('coordinates are readable on every side of the equator and the meridian', () => {
  assert.equal(positionWords(59.329, 18.068), '59.3° N, 18.1° E');
  assert.equal(positionWords(-33.92, -58.4), '33.9° S, 58.4° W');
});

test('every place has a name of its own and a position in Europe', () => {
  assert.equal(new Set(places.map(({ name }) => name)).size, places.length);
  for (const { name, latitude, longitude } of places) {
    assert.ok(latitude > 28 && latitude < 72 && longitude > -23 && longitude < 37, name);
  }
  assert.ok(JSON.stringify(places.map(({ name, latitude, longitude }) => [name, latitude, longitude])).length < 40_000);
});
