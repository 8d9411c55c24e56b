import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { linesOf } from './raw-lines.ts';

suite('raw data as lines', () => {
  for (const { says, data, lines } of [
    {
      says: 'a telegram is unchanged',
      data: { ts: 1, device_id: 'ISK5', obis: ['1-0:1.7.0(00.051*kW)', '1-0:32.7.0(233.3*V)'] },
      lines: ['/ISK5', '', '1-0:1.7.0(00.051*kW)', '1-0:32.7.0(233.3*V)'],
    },
    {
      says: 'registers are hexadecimal, eight on a line that starts with the address',
      data: {
        ts: 1,
        unit_id: 1,
        images: [{ unit_id: 1, function_code: 4, blocks: { 90: [0, 1, 2, 3, 4, 5, 6, 7, 65_535], 5016: [43_690] } }],
      },
      lines: ['unit 1, function 4', '   90  0000 0001 0002 0003 0004 0005 0006 0007', '   98  FFFF', ' 5016  AAAA'],
    },
    {
      says: 'a topic has its value',
      data: { ts: 1, topics: { 'a/b': 'IDLE', 'a/c': '49.96' } },
      lines: ['a/b  IDLE', 'a/c  49.96'],
    },
    { says: 'anything else is JSON', data: { ts: 1 }, lines: ['{', '  "ts": 1', '}'] },
  ]) {
    test(says, () => assert.deepEqual(linesOf({ format: 'any', data }), lines));
  }
});
