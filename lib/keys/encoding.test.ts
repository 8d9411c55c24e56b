import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { decodePem, decodings } from './encoding.ts';
import { spellingsOf } from './testing/arbitrary-key.ts';

for (const { says, text, bytes } of [
  { says: 'padded base64 is read', text: '+/8=', bytes: ['fbff'] },
  { says: 'base64 without padding is read', text: '+/8', bytes: ['fbff'] },
  { says: 'padded base64url is read', text: '-_8=', bytes: ['fbff'] },
  { says: 'base64url without padding is read', text: '-_8', bytes: ['fbff'] },
  { says: 'hex that is not base64 has one reading', text: '0b', bytes: ['0b'] },
  { says: 'an odd number of hex digits is refused', text: 'fbff1', bytes: [] },
  { says: 'hex that is also base64 has both readings, hex first', text: 'FFff', bytes: ['ffff', '1457df'] },
  { says: 'hex after 0x is read without it', text: '0xfbffab', bytes: ['fbffab', 'd317db7df69b'] },
  { says: 'an empty text has no reading', text: '', bytes: [] },
  { says: '0x alone is not hex', text: '0x', bytes: [] },
  { says: 'mixed base64 alphabets are refused', text: '+_8=', bytes: [] },
  { says: 'too much padding is refused', text: '+/8==', bytes: [] },
  { says: 'too little padding is refused', text: '+w=', bytes: [] },
  { says: 'padding in the middle is refused', text: '+w==+w==', bytes: [] },
  { says: 'bits after the last byte are refused', text: '+/9=', bytes: [] },
  { says: 'a space is refused', text: '+/8= ', bytes: [] },
  { says: 'a line break is refused', text: '+/8=\n', bytes: [] },
  { says: 'a character beyond one byte is refused', text: 'f\u{130}+/', bytes: [] },
  { says: 'a text of more than 4096 characters is refused', text: '+'.repeat(4100), bytes: [] },
]) {
  test(says, () =>
    assert.deepEqual(
      decodings(text).map((reading) => reading.toString('hex')),
      bytes,
    ),
  );
}

for (const { says, text, isRead } of [
  { says: 'a PEM block is read', text: '-----BEGIN A-----\n+/8=\n-----END A-----\n', isRead: true },
  {
    says: 'a PEM block may have CRLF line ends',
    text: '-----BEGIN A-----\r\n+/\r\n8=\r\n-----END A-----',
    isRead: true,
  },
  { says: 'another label is refused', text: '-----BEGIN B-----\n+/8=\n-----END B-----\n', isRead: false },
  { says: 'labels that differ are refused', text: '-----BEGIN A-----\n+/8=\n-----END B-----\n', isRead: false },
  { says: 'a block without its end is refused', text: '-----BEGIN A-----\n+/8=\n', isRead: false },
  { says: 'a block without content is refused', text: '-----BEGIN A-----\n-----END A-----\n', isRead: false },
  { says: 'text before a block is refused', text: 'a\n-----BEGIN A-----\n+/8=\n-----END A-----\n', isRead: false },
  { says: 'text after a block is refused', text: '-----BEGIN A-----\n+/8=\n-----END A-----\na', isRead: false },
  { says: 'base64url in a block is refused', text: '-----BEGIN A-----\n-_8=\n-----END A-----\n', isRead: false },
  { says: 'a space in a block is refused', text: '-----BEGIN A-----\n+/8= \n-----END A-----\n', isRead: false },
]) {
  test(says, () => assert.equal(decodePem(text, 'A')?.toString('hex'), isRead ? 'fbff' : undefined));
}

test('whatever bytes are encoded, they are among the readings of the text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (array) => {
      const bytes = Buffer.from(array);
      for (const text of spellingsOf(bytes)) assert.ok(decodings(text).some((reading) => reading.equals(bytes)));
    }),
  );
});

test('a text that is read encodes back to itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0aAfFx+/-_= \n'), maxLength: 12 }), (text) => {
      for (const reading of decodings(text)) {
        const spellings = [reading.toString('hex'), reading.toString('base64'), reading.toString('base64url')];
        const plain = text.replace(/=*$/, '').replaceAll('+', '-').replaceAll('/', '_');
        const isHex = text.toLowerCase().replace(/^0x/, '') === spellings[0];
        assert.ok(isHex || plain === spellings[2]);
      }
    }),
  );
});
