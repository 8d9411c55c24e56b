import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { P1Keys } from './frame.ts';
import { Heard } from './heard.ts';
import { meterKey, ownAuthenticationKey } from './testing/frames.ts';
import { hear, meterNamed } from './testing/hear.ts';

const otherKey = ownAuthenticationKey;
const { bytes: encrypted } = meterNamed('LU encrypted');
const { bytes: open } = meterNamed('SE');

suite('without a telegram it is told what was heard', () => {
  const cases: { says: string; bytes: Uint8Array; keys?: P1Keys; told: RegExp }[] = [
    { says: 'silence', bytes: Buffer.of(), told: /^Nothing came on \/dev\/ttyUSB0 within 48 s\. .* switched on/ },
    { says: 'noise', bytes: Buffer.alloc(300, 0xf8), told: /^Only noise came on .* meter\. Does the cable invert/ },
    { says: 'a telegram that is cut off', bytes: open.subarray(0, 200), told: /could not be read: cut off\. Does the/ },
    {
      says: 'an encrypted telegram without a key',
      bytes: encrypted,
      told: /^A telegram came .* cannot be read: encrypted, and there is no key\. Give the device the decryption_key/,
    },
    {
      says: 'an encrypted telegram with a wrong key',
      bytes: encrypted,
      keys: { decryptionKey: otherKey },
      told: /cannot be read: the key does not fit\. Compare decryption_key/,
    },
    {
      says: 'an encrypted telegram with a wrong authentication key',
      bytes: encrypted,
      keys: { decryptionKey: meterKey, authenticationKey: otherKey },
      told: /cannot be read: the authentication tag is wrong\. .* authentication_key/,
    },
    {
      says: 'an encrypted telegram, and noise behind it',
      bytes: Buffer.concat([encrypted, open.subarray(0, 200)]),
      told: /no key/,
    },
  ];
  for (const { says, bytes, keys, told } of cases) {
    test(says, () => {
      const heard = new Heard();
      if (bytes.length > 0) heard.onBytes();
      for (const failed of hear([bytes], keys).failed) heard.onFailed(failed);
      assert.match(heard.tell('/dev/ttyUSB0', 48), told);
      assert.equal(heard.isEncrypted, says.includes('encrypted'));
    });
  }
});
