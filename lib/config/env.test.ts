import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFallbacks, withValues } from '../config.ts';

for (const { says, env, expected } of [
  { says: 'is used for a missing variable', env: {}, expected: { URL: 'ours' } },
  { says: 'is used for an empty variable', env: { URL: '' }, expected: { URL: 'ours' } },
  { says: 'does not replace a variable', env: { URL: 'theirs' }, expected: { URL: 'theirs' } },
  { says: 'does not replace a file', env: { URL_FILE: '/theirs' }, expected: { URL_FILE: '/theirs' } },
]) {
  test(`a fallback ${says}`, () => assert.deepEqual(withFallbacks(env, { URL: 'ours' }), expected));
}

test('a value replaces a variable and its file, and an undefined one replaces nothing', () => {
  const env = { URL_FILE: '/theirs', PORT_FILE: '/port', HOST: 'theirs' };
  assert.deepEqual(withValues(env, { URL: 'ours', HOST: 'ours', PORT: undefined }), {
    URL: 'ours',
    URL_FILE: undefined,
    HOST: 'ours',
    HOST_FILE: undefined,
    PORT_FILE: '/port',
  });
});
