import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { withRegisters } from './register-inverter.ts';

const registers = withRegisters();
const { writes } = registers;

suite('registers are written', () => {
  const writtenBy = async (path: string, body: unknown) => {
    writes.length = 0;
    const { status, body: answer } = await registers.call('POST', `/api/devices/${registers.sn}${path}`, body);
    return { status, answer, written: writes.map(({ address, word }) => [address, word]) };
  };

  for (const [title, path, body, status, answer, written] of [
    ['one', '/registers/10', { value: 300 }, 200, { address: 10, value: 300 }, [[10, 300]]],
    ['one below zero', '/registers/10', { value: -2 }, 200, { address: 10, value: -2 }, [[10, 0xfffe]]],
    ['one in the earlier form', '/write', { addr: 10, value: 65_535 }, 200, {}, [[10, 65_535]]],
    ['one that the device does not have', '/registers/12', { value: 1 }, 500, { error: 'device_failed' }, [[12, 1]]],
    ['the same in the earlier form', '/write', { addr: 12, value: 1 }, 404, { error: 'not_found' }, [[12, 1]]],
    [
      'many in the order of the text',
      '/registers',
      '{"registers": {"10": 1, "9": 2, "0x0B": 3}}',
      200,
      { written: 3, failed: 0, errors: [] },
      [[10, 1], [9, 2], [11, 3]], // biome-ignore format: pairs
    ],
    [
      'many in the earlier form, in the order of the text',
      '/registers',
      '{"0x0b": 3, "1\\u0030": 1, "9": 2}',
      200,
      { success: 3, failed: 0 },
      [[11, 3], [10, 1], [9, 2]], // biome-ignore format: pairs
    ],
    ['some of many', '/registers', { registers: { 9: 1, 12: 1, 10: 1 } }, 500, { written: 2, failed: 1 }, undefined],
    [
      'some of many in the earlier form',
      '/registers',
      { 9: 1, 12: 1, 13: 1 },
      207,
      { success: 1, failed: 2 },
      undefined,
    ],
    ['none of many in the earlier form', '/registers', { 12: 1 }, 207, { success: 0, failed: 1 }, [[12, 1]]],
  ] as const) {
    test(title, async () => {
      const result = await writtenBy(path, body);
      assert.equal(result.status, status, JSON.stringify(result.answer));
      assert.partialDeepStrictEqual(result.answer, answer);
      if (written) assert.deepEqual(result.written, written);
      const gaps = writes.slice(1).map(({ at }, index) => at - writes[index]!.at);
      assert.ok(
        gaps.every((gap) => gap >= 49),
        String(gaps),
      );
    });
  }

  for (const [path, body] of [
    ['/registers/10', {}],
    ['/registers/10', { value: '1' }],
    ['/registers/10', { value: 65_536 }],
    ['/registers/10', { value: -32_769 }],
    ['/registers/10', { value: 0.5 }],
    ['/registers/65536', { value: 1 }],
    ['/write', { addr: 10 }],
    ['/write', { value: 10 }],
    ['/registers', {}],
    ['/registers', { registers: {} }],
    ['/registers', { registers: [5, 6] }],
    ['/registers', { registers: null }],
    ['/registers', { registers: 5 }],
    ['/registers', { registers: { 65536: 1 } }],
    ['/registers', { registers: { '-1': 1 } }],
    ['/registers', { 10: 1, ten: 1 }],
    ['/registers', { 10: 1, 11: 'x' }],
    ['/registers', { 10: 1, 11: 1e9 }],
    ['/registers', Object.fromEntries(Array.from({ length: 126 }, (_, index) => [index, 1]))],
  ] as const) {
    test(`${path} with ${JSON.stringify(body).slice(0, 40)} is refused, and nothing is written`, async () => {
      const { status, answer, written } = await writtenBy(path, body);
      assert.deepEqual([status, answer.error, written], [400, 'invalid_request', []]);
    });
  }
});
