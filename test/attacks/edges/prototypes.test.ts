import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyPorts, startUp } from '../../stack/up-process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test('everything runs with access to __proto__ disabled', { timeout: 60_000 }, async (t) => {
  const env = { ...anyPorts, NODE_OPTIONS: '--disable-proto=throw' };
  const { state, stop } = await startUp(t, temporaryFolder(t), ['--houses', '0', '--without-history'], env);
  for (const url of [`${state.cloud_url}/ready`, `${state.gateway_url}/health`, `${state.cloud_url}/public/cells`]) {
    assert.equal((await fetch(url)).status, 200, url);
  }
  const polluted = '{"__proto__":{"polluted":true}}';
  for (const url of [`${state.cloud_url}/auth/challenge`, `${state.gateway_url}/api/devices`]) {
    const answer = await fetch(url, {
      method: 'POST',
      body: polluted,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(answer.status, 400, url);
  }
  const { code, out, err } = await stop();
  assert.equal(code, 0, out + err);
});
