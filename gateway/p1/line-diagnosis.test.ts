import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { P1Keys } from './frame.ts';
import { LineDiagnosis } from './line-diagnosis.ts';
import { decodeAll, meterNamed } from './testing/decode.ts';
import { meterKey, ownAuthenticationKey } from './testing/frames.ts';

const otherKey = ownAuthenticationKey;
const { bytes: encrypted } = meterNamed('LU encrypted');
const { bytes: open } = meterNamed('SE');

suite('without a telegram, the diagnosis names the reason', () => {
  const cases: { says: string; bytes: Uint8Array; keys?: P1Keys; expected: RegExp }[] = [
    {
      says: 'silence',
      bytes: Buffer.of(),
      expected: /^No data was received on \/dev\/ttyUSB0 within 48 s\. .* enabled/,
    },
    {
      says: 'noise',
      bytes: Buffer.alloc(300, 0xf8),
      expected: /^Only noise was received on .* telegram\. Does the cable invert/,
    },
    { says: 'a truncated telegram', bytes: open.subarray(0, 200), expected: /could not be read: truncated\. Does the/ },
    {
      says: 'an encrypted telegram without a key',
      bytes: encrypted,
      expected: /^A telegram on .* cannot be read: encrypted, and no key is configured\. Set the decryption_key/,
    },
    {
      says: 'an encrypted telegram with a wrong key',
      bytes: encrypted,
      keys: { decryptionKey: otherKey },
      expected: /cannot be read: the key is wrong\. Compare decryption_key/,
    },
    {
      says: 'an encrypted telegram with a wrong authentication key',
      bytes: encrypted,
      keys: { decryptionKey: meterKey, authenticationKey: otherKey },
      expected: /cannot be read: the authentication tag is wrong\. .* authentication_key/,
    },
    {
      says: 'an encrypted telegram followed by noise',
      bytes: Buffer.concat([encrypted, open.subarray(0, 200)]),
      expected: /no key/,
    },
  ];
  for (const { says, bytes, keys, expected } of cases) {
    test(says, () => {
      const diagnosis = new LineDiagnosis();
      if (bytes.length > 0) diagnosis.onBytes();
      for (const failed of decodeAll([bytes], keys).failed) diagnosis.onFailed(failed);
      assert.match(diagnosis.describe('/dev/ttyUSB0', 48), expected);
      assert.equal(diagnosis.hasTelegram, says.includes('encrypted'));
    });
  }
});
