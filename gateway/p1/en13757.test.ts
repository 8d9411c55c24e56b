import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVariableData } from './en13757.ts';
import { hex } from './testing/frames.ts';

const read = (records: string, header = '78563412 2d2c 01 02 04 00 0000') => readVariableData(hex(header + records));

for (const { says, records, meter } of [
  { says: 'integers are read low byte first', records: '0406 39300000', meter: { total_import_Wh: 12_345_000 } },
  { says: 'decimal digits are read low byte first', records: '0c04 78563412', meter: { total_import_Wh: 123_456_780 } },
  { says: 'a leading F in decimal digits is a minus', records: '0b2b 2301f0', meter: { W: -123 } },
  { says: 'invalid decimal digits are ignored', records: '0c04 7856b412', meter: {} },
  { says: 'floats are read', records: '052b 00406745', meter: { W: 3700 } },
  {
    says: 'the tariffs of a counter are added up',
    records: '8c1003 01000000 8c2003 02000000',
    meter: { total_import_Wh: 3 },
  },
  { says: 'stored values are ignored', records: '4406 39300000', meter: {} },
  { says: 'a maximum is ignored', records: '142b 10270000', meter: {} },
  { says: 'a sub-unit is ignored', records: '84402b 10270000', meter: {} },
  {
    says: 'unnumbered phases are listed in order, with the total last',
    records: `0bfd47 001502 0bfd47 101502 0bfd47 201502 0bfd47 004000 0bfd59 002301 0bfd59 003301 0bfd59 004301
      0bfd59 000009 0b2a 5634f0 0b2a 785600 0b2a 000100 0b2a 223200`,
    meter: {
      W: 322.2,
      L1_W: -345.6,
      L2_W: 567.8,
      L3_W: 10,
      L1_V: 215,
      L2_V: 215.1,
      L3_V: 215.2,
      L1_A: -12.3,
      L2_A: 13.3,
      L3_A: 14.3,
    },
  },
  {
    says: 'a total that comes before its phases is recognised by its sum',
    records: '022b 0600 022b 0100 022b 0200 022b 0300',
    meter: { W: 6, L1_W: 1, L2_W: 2, L3_W: 3 },
  },
  {
    says: 'three powers are the phases',
    records: '022b 0100 022b 0200 022b 0300',
    meter: { W: 6, L1_W: 1, L2_W: 2, L3_W: 3 },
  },
  {
    says: 'a single-phase meter has one voltage, one current and one power',
    records: '02fd49 e600 02fd5b 2000 022b 18fc',
    meter: { W: -1000, L1_V: 230, L1_A: -3.2 },
  },
  { says: 'two voltages are ambiguous', records: '02fd49 e600 02fd49 e700', meter: {} },
  { says: 'two powers are ambiguous', records: '022b 0100 022b 0200', meter: {} },
  {
    says: 'a record with a plain-text unit is ignored',
    records: '027c 03 484c42 0100 02fc 01 48 00 0100 022b 0500',
    meter: { W: 5 },
  },
  { says: 'data of variable length is ignored', records: '0d78 03 414243 022b 0500', meter: { W: 5 } },
  {
    says: 'fillers are skipped, and manufacturer data ends the message',
    records: '2f 022b 0500 2f 0f 022b 0900',
    meter: { W: 5 },
  },
]) {
  test(says, () => assert.deepEqual(read(records).meter, meter));
}

test('a water meter gives no values', () => {
  const { device_id, meter, obis } = read('0413 39300000', '78563412 2d2c 01 07 04 00 0000');
  assert.deepEqual({ device_id, meter, obis }, { device_id: 'KAM12345678', meter: {}, obis: [] });
});

for (const { says, records, header, reason } of [
  { says: 'a truncated record', records: '0406 3930', reason: /truncated/ },
  { says: 'a record without data', records: '8b60', reason: /truncated/ },
  { says: 'eleven extensions', records: `${'8b'.repeat(12)}60`, reason: /too many extensions/ },
  { says: 'M-Bus encryption', records: '', header: '78563412 2d2c 01 02 04 00 0005', reason: /encrypted/ },
  { says: 'half a header', records: '', header: '785634', reason: /header is truncated/ },
]) {
  test(`${says} is unreadable`, () => assert.throws(() => read(records, header), reason));
}
