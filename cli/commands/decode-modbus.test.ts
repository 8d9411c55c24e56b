import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { runInProcess } from '../testing/in-process.ts';

const folder = temporaryFolder({ after });

const meter = {
  unit_id: 247,
  function_code: 4,
  blocks: { 30005: [0, 1500], 30014: [400], 30035: [0, 3000, 0xffff, 0xff9c], 30052: [0, 500, 0, 500, 0, 500] },
};

const decode = (profile: string, path: string, stdin = '') =>
  runInProcess(['decode', 'modbus', path, '--profile', profile], {}, stdin);

const decoded = `{"serial":null,"rated_power_W":null,"pv":{"W":-3000},"battery":{"W":-100,"SoC_nom_fract":0.4},"meter":{"W":1500,"L1_W":500,"L2_W":500,"L3_W":500}}\n`;

test('a file is decoded into one line of JSON', async () => {
  const path = join(folder, 'registers.json');
  writeFileSync(path, JSON.stringify(meter));
  assert.equal((await decode('sigenergy', path)).out, decoded);
});

test('the standard input is read for -', async () => {
  assert.equal((await decode('sigenergy', '-', JSON.stringify([meter]))).out, decoded);
});

test('a device that is refused is a line too, and exit code 1', async () => {
  const { out, code } = await decode('sungrow', '-', JSON.stringify(meter));
  assert.equal(code, 1);
  assert.match(out, /^\{"ok":false,"reason":"This is not a Sungrow .* register 5016, its power\."\}\n$/);
});

for (const { says, profile, input, sentence } of [
  {
    says: 'an unknown profile',
    profile: 'sungrw',
    input: '{}',
    sentence: /--profile must be one of .*sungrow, .*; did you mean sungrow\?/,
  },
  { says: 'text that is not JSON', profile: 'sungrow', input: '{', sentence: /^- is not JSON/ },
  {
    says: 'JSON that is not a register image',
    profile: 'sungrow',
    input: '[1]',
    sentence: /register image is a JSON object/,
  },
]) {
  test(`${says} is a mistake of usage`, async () => {
    const { code, err } = await decode(profile, '-', input);
    assert.match(err, sentence);
    assert.equal(code, 2);
  });
}
