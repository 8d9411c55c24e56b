import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPushMessage } from './push-message.ts';
import { array, i32, notification, obis, octets, scale, structure, u16, u32, u64, visible } from './testing/frames.ts';

const read = (...items: (readonly number[])[]) => readPushMessage(notification(array(...items)), 'hdlc');
const import1 = obis('1-0:1.8.0');

for (const { says, item, meter } of [
  {
    says: 'a positive scaler multiplies',
    item: structure(import1, u32(7), scale(3, 30)),
    meter: { total_import_Wh: 7000 },
  },
  {
    says: 'a negative scaler divides',
    item: structure(import1, u32(1234), scale(-2, 30)),
    meter: { total_import_Wh: 12.34 },
  },
  {
    says: 'long counters are read',
    item: structure(import1, u64(123_456_789_012), scale(0, 30)),
    meter: { total_import_Wh: 123_456_789_012 },
  },
  {
    says: 'counters that are too large for a double are ignored',
    item: structure(import1, u64(2 ** 60), scale(0, 30)),
    meter: {},
  },
  {
    says: 'negative numbers are read',
    item: structure(obis('1-0:16.7.0'), i32(-415), scale(0, 27)),
    meter: { W: -415 },
  },
  {
    says: 'floats are read',
    item: structure(obis('1-0:32.7.0'), [0x17, 0x43, 0x66, 0x80, 0x00], scale(0, 35)),
    meter: { L1_V: 230.5 },
  },
  { says: 'a wrong unit is ignored', item: structure(import1, u32(7), scale(0, 27)), meter: {} },
  { says: 'an implausible scaler is ignored', item: structure(import1, u32(7), scale(100, 30)), meter: {} },
  { says: 'a missing value is ignored', item: structure(import1, [0x00], scale(0, 30)), meter: {} },
  { says: 'other channels are ignored', item: structure(obis('0-1:24.2.1'), u32(7), scale(0, 13)), meter: {} },
]) {
  test(says, () => assert.deepEqual(read(item).meter, meter));
}

test('bytes that are not text are shown as hex', () => {
  assert.deepEqual(read(structure(obis('0-0:96.13.0'), octets([1, 0xff]))).obis, ['0-0:96.13.0(01ff)']);
});

for (const { says, message, reason } of [
  {
    says: 'bytes after the message',
    message: [...notification(structure(u32(1))), 0],
    reason: /bytes follow the message/,
  },
  { says: 'a truncated message', message: [...notification(structure(u32(1)))].slice(0, -1), reason: /truncated/ },
  { says: 'an unknown type', message: [...notification([0x63])], reason: /data type 99 is unknown/ },
  {
    says: 'a list longer than the message',
    message: [...notification([0x01, 0x82, 0xff, 0xff])],
    reason: /a list is truncated/,
  },
  {
    says: 'deeply nested lists',
    message: [...notification(Array.from({ length: 400 }, () => [0x01, 0x01]).flat())],
    reason: /nested too deeply/,
  },
  { says: 'an invalid time', message: [...notification(structure(u16(1)), [0x0b])], reason: /the time is invalid/ },
]) {
  test(`${says} is unreadable`, () => {
    assert.throws(() => readPushMessage(Uint8Array.from(message), 'hdlc'), reason);
  });
}

test('the sender is the id if the message contains none', () => {
  assert.equal(readPushMessage(notification(structure(u32(1))), 'hdlc', 'KFM1').device_id, 'KFM1');
  const named = structure(obis('0-0:96.1.0'), visible('735999'));
  assert.equal(readPushMessage(notification(array(named)), 'hdlc', 'KFM1').device_id, '735999');
});
