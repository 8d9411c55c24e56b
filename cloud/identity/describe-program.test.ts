import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeProgram } from './describe-program.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

for (const [header, words] of [
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`, 'Edge on Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Safari/604.1', 'Safari on iPhone'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on macOS'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['node', 'node'],
  ['<script>alert(1)</script>', 'Unknown program'],
  [`a${'b'.repeat(5000)}`, `a${'b'.repeat(63)}`],
  [undefined, 'Unknown program'],
] as const) {
  test(`the program ${header?.slice(0, 60)} is called ${words.slice(0, 30)}`, () =>
    assert.equal(describeProgram(header), words));
}
