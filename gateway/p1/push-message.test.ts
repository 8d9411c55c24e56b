import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPushMessage } from './push-message.ts';
import { array, i32, notification, obis, octets, scale, structure, u16, u32, u64, visible } from './testing/frames.ts';

const read = (...items: (readonly number[])[]) => readPushMessage(notification(array(...items)), 'hdlc');
const import1 = obis('1-0:1.8.0');

for (const { says, item, meter } of [
  {
    says: 'a scaler above zero multiplies',
    item: structure(import1, u32(7), scale(3, 30)),
    meter: { total_import_Wh: 7000 },
  },
  {
    says: 'a scaler below zero divides',
    item: structure(import1, u32(1234), scale(-2, 30)),
    meter: { total_import_Wh: 12.34 },
  },
  {
    says: 'long counters are read',
    item: structure(import1, u64(123_456_789_012), scale(0, 30)),
    meter: { total_import_Wh: 123_456_789_012 },
  },
  {
    says: 'counters too long to be exact do not count',
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
  { says: 'a wrong unit does not count', item: structure(import1, u32(7), scale(0, 27)), meter: {} },
  { says: 'a scaler beyond reason does not count', item: structure(import1, u32(7), scale(100, 30)), meter: {} },
  { says: 'a missing value does not count', item: structure(import1, [0x00], scale(0, 30)), meter: {} },
  { says: 'other channels do not count', item: structure(obis('0-1:24.2.1'), u32(7), scale(0, 13)), meter: {} },
]) {
  test(says, () => assert.deepEqual(read(item).meter, meter));
}

test('what is no text is shown in hex', () => {
  assert.deepEqual(read(structure(obis('0-0:96.13.0'), octets([1, 0xff]))).obis, ['0-0:96.13.0(01ff)']);
});

for (const { says, message, reason } of [
  {
    says: 'bytes behind the message',
    message: [...notification(structure(u32(1))), 0],
    reason: /bytes follow the message/,
  },
  { says: 'a message cut off', message: [...notification(structure(u32(1)))].slice(0, -1), reason: /cut off/ },
  { says: 'an unknown type', message: [...notification([0x63])], reason: /there is no data type 99/ },
  {
    says: 'a list longer than the message',
    message: [...notification([0x01, 0x82, 0xff, 0xff])],
    reason: /a list is cut off/,
  },
  {
    says: 'lists without end',
    message: [...notification(Array.from({ length: 400 }, () => [0x01, 0x01]).flat())],
    reason: /nested too deep/,
  },
  { says: 'a time that is none', message: [...notification(structure(u16(1)), [0x0b])], reason: /the time is none/ },
]) {
  test(`${says} is unreadable`, () => {
    assert.throws(() => readPushMessage(Uint8Array.from(message), 'hdlc'), reason);
  });
}

test('the sender counts where the message names nobody', () => {
  assert.equal(readPushMessage(notification(structure(u32(1))), 'hdlc', 'KFM1').device_id, 'KFM1');
  const named = structure(obis('0-0:96.1.0'), visible('735999'));
  assert.equal(readPushMessage(notification(array(named)), 'hdlc', 'KFM1').device_id, '735999');
});
