import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#contract/problem.ts';
import { readProviderFile } from './provider.ts';

const fileOf = (id: string): string => JSON.stringify({ provider: { id }, tariffs: [], calendarPatterns: [] });

test('the id of a provider comes from its file, else from the file name', () => {
  assert.equal(readProviderFile('/data/some.json', fileOf('nat_ab')).id, 'nat_ab');
  assert.equal(readProviderFile('/data/some.json', '{"tariffs":[],"calendarPatterns":[]}').id, 'some');
});

for (const id of ['../../etc/passwd', '..', 'a/b', 'a\u0000b', 'nät', '', 'x'.repeat(65)]) {
  test(`${JSON.stringify(id.slice(0, 20))} is not a valid provider id`, () => {
    assert.throws(
      () => readProviderFile('/data/some.json', fileOf(id)),
      (error) => error instanceof Problem && error.details.errors?.[0]?.path === 'file.provider.id',
    );
  });
}
