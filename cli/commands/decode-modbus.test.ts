import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { temporaryFolder } from '#test/temporary-folder.ts';
import type { Shell } from '../line/command.ts';
import { UsageError } from '../line/usage-error.ts';
import { decodeModbusCommands } from './decode-modbus.ts';

const folder = temporaryFolder({ after });

const meter = {
  unit_id: 247,
  function_code: 4,
  blocks: { 30005: [0, 1500], 30014: [400], 30035: [0, 3000, 0xffff, 0xff9c], 30052: [0, 500, 0, 500, 0, 500] },
};

/** What the command prints, and the exit code that it leaves. */
async function decode(profile: string, path: string, stdin = ''): Promise<{ out: string; code: unknown }> {
  let out = '';
  const shell = { stdin: Readable.from([stdin]), stdout: { write: (text: string) => (out += text) } };
  const given = { arguments: { 'registers.json': path }, options: { profile } };
  try {
    await decodeModbusCommands[0]!.run(given, shell as unknown as Shell);
    return { out, code: process.exitCode };
  } finally {
    process.exitCode = 0;
  }
}

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
    sentence: /--profile is one of .*sungrow, .*; did you mean sungrow\?/,
  },
  { says: 'text that is no JSON', profile: 'sungrow', input: '{', sentence: /^- is not JSON/ },
  { says: 'JSON that is no image', profile: 'sungrow', input: '[1]', sentence: /register image is a JSON object/ },
]) {
  test(`${says} is a mistake of usage`, async () => {
    await assert.rejects(
      decode(profile, '-', input),
      (error) => error instanceof UsageError && sentence.test(error.message),
    );
  });
}
