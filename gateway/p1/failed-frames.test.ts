import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { decodeAll, meterNamed, reasons, withoutLines } from './testing/decode.ts';
import { hex, mbus } from './testing/frames.ts';
import { expectedOf } from './testing/meter.ts';

const se = meterNamed('SE');
const dsmr5 = meterNamed('NL DSMR 5.0');
const dsmr22 = meterNamed('NL DSMR 2.2');
const aidon = meterNamed('Aidon list 3');
const iskra = meterNamed('Iskra in segments');
const austrian = meterNamed('AT plain');
const twoParts = meterNamed('AT plain in two parts');

suite('a failed frame gives no value and a reason', () => {
  const changed = (bytes: Buffer, at: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at] = copy[at]! ^ 0x01;
    return copy;
  };
  const { bytes } = se;

  for (const { says, pieces, keys, expected } of [
    { says: 'one digit changed', pieces: [changed(bytes, 60)], expected: ['ascii: the CRC is wrong'] },
    {
      says: 'a missing CRC',
      pieces: [bytes.subarray(0, -6), hex('0d0a')],
      expected: ['ascii: the CRC is missing'],
    },
    {
      says: 'other text instead of a CRC',
      pieces: [bytes.subarray(0, -6), Buffer.from('xyz')],
      expected: ['ascii: the CRC is not a number'],
    },
    { says: 'a telegram truncated by silence', pieces: [bytes.subarray(0, 200)], expected: ['ascii: truncated'] },
    {
      says: 'a telegram truncated by bytes that are not text',
      pieces: [bytes.subarray(0, 200), hex('00')],
      expected: ['ascii: it contains bytes that are not text'],
    },
    { says: 'a changed byte of HDLC', pieces: [changed(aidon.bytes, 60)], expected: ['hdlc: the CRC is wrong'] },
    {
      says: 'a changed header of HDLC',
      pieces: [changed(aidon.bytes, 4)],
      expected: ['hdlc: the header check is wrong'],
    },
    {
      says: 'an HDLC frame truncated by silence',
      pieces: [aidon.bytes.subarray(0, 99)],
      expected: ['hdlc: truncated'],
    },
    { says: 'a segment alone', pieces: [iskra.bytes.subarray(0, 101)], expected: ['hdlc: truncated'] },
    {
      says: 'a changed byte of M-Bus',
      pieces: [changed(austrian.bytes, 60)],
      expected: ['mbus: the checksum is wrong'],
    },
    {
      says: 'M-Bus with two different lengths',
      pieces: [changed(austrian.bytes, 2)],
      expected: ['mbus: the two lengths differ'],
    },
    {
      says: 'M-Bus with bytes missing',
      pieces: [austrian.bytes.subarray(0, 50), austrian.bytes.subarray(60)],
      expected: ['mbus: truncated'],
    },
    { says: 'the second part alone', pieces: [twoParts.bytes.subarray(108)], expected: ['mbus: a part is missing'] },
    {
      says: 'an unknown type of M-Bus message',
      pieces: [mbus(0x7a, Buffer.alloc(9))],
      expected: ['mbus: message type 122 is unknown'],
    },
    {
      says: 'an encrypted telegram without a key',
      pieces: [meterNamed('LU encrypted').bytes],
      expected: ['ascii: encrypted, and no key is configured'],
    },
    {
      says: 'an encrypted message without a key',
      pieces: [meterNamed('AT encrypted in two parts').bytes],
      expected: ['mbus: encrypted, and no key is configured'],
    },
    {
      says: 'an encrypted message with another key',
      pieces: [meterNamed('AT encrypted in two parts').bytes],
      keys: { decryptionKey: Buffer.alloc(16) },
      expected: ['mbus: the key is wrong'],
    },
    {
      says: 'a changed byte of ciphertext, with the authentication key',
      pieces: [changed(meterNamed('LU encrypted').bytes, 90)],
      keys: { ...meterNamed('LU encrypted').keys, authenticationKey: hex('00112233445566778899aabbccddeeff') },
      expected: ['ascii: the authentication tag is wrong'],
    },
    {
      says: 'a changed byte of ciphertext, without it',
      pieces: [changed(meterNamed('LU encrypted').bytes, 90)],
      keys: meterNamed('LU encrypted').keys!,
      expected: ['ascii: the CRC is wrong'],
    },
  ]) {
    test(says, () => {
      const heard = decodeAll(pieces, keys);
      assert.deepEqual(heard.frames, []);
      assert.deepEqual(reasons(heard), expected);
    });
  }

  test('a telegram truncated by the next one fails, the next is read', () => {
    for (const at of [60, 200, 201, 202, 203]) {
      const heard = decodeAll([bytes.subarray(0, at), dsmr5.bytes]);
      assert.deepEqual(heard.frames.map(withoutLines), [expectedOf(dsmr5)]);
      assert.deepEqual(reasons(heard), ['ascii: truncated by the next telegram']);
      assert.equal(heard.failed[0]!.bytes.length, at);
    }
  });

  test('a telegram without a CRC is not joined with a truncated one before it', () => {
    const heard = decodeAll([se.bytes.subarray(0, 205), dsmr22.bytes]);
    assert.deepEqual(heard.frames.map(withoutLines), [expectedOf(dsmr22)]);
  });

  test('HDLC that lost bytes fails, the next frame is read', () => {
    const heard = decodeAll([aidon.bytes.subarray(0, 100), aidon.bytes.subarray(160), aidon.bytes]);
    assert.deepEqual(heard.frames.map(withoutLines), [expectedOf(aidon)]);
    assert.deepEqual(reasons(heard), ['hdlc: the length is wrong']);
  });

  test('incomplete segments fail, and the next message is read', () => {
    const heard = decodeAll([iskra.bytes.subarray(0, 101), iskra.bytes]);
    assert.deepEqual(heard.frames.map(withoutLines), [expectedOf(iskra)]);
    assert.deepEqual(reasons(heard), ['hdlc: truncated by the next message']);
  });

  test('an endless telegram fails once, and the next is read', () => {
    const line = '1-0:1.7.0(0000.100*kW)\r\n';
    const heard = decodeAll([Buffer.from(`/ADN9 6534\r\n\r\n${line.repeat(2000)}`), se.bytes]);
    assert.deepEqual(reasons(heard), ['ascii: too long']);
    assert.ok(heard.failed[0]!.bytes.length <= 8192);
    assert.deepEqual(heard.frames.map(withoutLines), [expectedOf(se)]);
  });

  test('a key of wrong length throws a RangeError', () => {
    assert.throws(() => decodeAll([], { decryptionKey: Buffer.alloc(15) }), /A meter key has 16 bytes, not 15/);
  });
});
