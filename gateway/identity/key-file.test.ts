import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { openKey } from './key-file.ts';

async function freshFolder(t: TestContext): Promise<{ dataDir: string; path: string }> {
  const dataDir = temporaryFolder(t);
  return { dataDir, path: join(dataDir, 'identity', 'key.pem') };
}

const publicPem = (key: Parameters<typeof createPublicKey>[0]) =>
  createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString();

suite('the key file', () => {
  test('is created once, for its owner alone whatever the umask', async (t) => {
    const { dataDir, path } = await freshFolder(t);
    const before = process.umask(0);
    t.after(() => process.umask(before));
    const first = await openKey(dataDir);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(join(dataDir, 'identity'))).mode & 0o777, 0o700);
    assert.deepEqual(await readdir(join(dataDir, 'identity')), ['key.pem']);
    assert.ok(first.equals(await openKey(dataDir)));
  });

  for (const mode of [0o640, 0o604, 0o620, 0o601, 0o666]) {
    test(`of mode ${mode.toString(8)} is refused, with the remedy`, async (t) => {
      const { dataDir, path } = await freshFolder(t);
      await openKey(dataDir);
      await chmod(path, mode);
      await assert.rejects(openKey(dataDir), { name: 'KeyFileError', message: new RegExp(`chmod 600 ${path}$`) });
      await chmod(path, 0o600);
      await openKey(dataDir);
    });
  }

  test('in a folder that others can enter is refused', async (t) => {
    const { dataDir } = await freshFolder(t);
    await openKey(dataDir);
    await chmod(join(dataDir, 'identity'), 0o755);
    await assert.rejects(openKey(dataDir), { name: 'KeyFileError', message: /chmod 700/ });
  });

  test('that is a link is refused', async (t) => {
    const { dataDir, path } = await freshFolder(t);
    await openKey(dataDir);
    await rename(path, `${path}.moved`);
    await symlink(`${path}.moved`, path);
    await assert.rejects(openKey(dataDir), { name: 'KeyFileError', message: /is a link/ });
  });

  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const pem = (key: typeof other) => key.export({ format: 'pem', type: 'pkcs8' }).toString();
  const mixed = (): string => {
    const { d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
    const der = other.export({ format: 'der', type: 'pkcs8' });
    Buffer.from(d!, 'base64url').copy(der, 36); // where PKCS#8 stores the private half of a P-256 key
    return `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
  };
  for (const { says, text } of [
    { says: 'nothing', text: '' },
    { says: 'half a key', text: pem(other).slice(0, 80) },
    { says: 'zeros', text: '\0'.repeat(240) },
    { says: 'a public key', text: publicPem(other) },
    { says: 'a key of another curve', text: pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey) },
    { says: 'a key of another kind', text: pem(generateKeyPairSync('ed25519').privateKey) },
    { says: 'two halves of different keys', text: mixed() },
  ]) {
    test(`that contains ${says} is refused and not changed`, async (t) => {
      const { dataDir, path } = await freshFolder(t);
      await mkdir(join(dataDir, 'identity'), { mode: 0o700 });
      await writeFile(path, text, { mode: 0o600 });
      await assert.rejects(openKey(dataDir), { name: 'KeyFileError', message: /from a backup.*move it away/ });
      assert.equal(await readFile(path, 'utf8'), text);
    });
  }

  test('with any bit of the private half flipped is refused', async (t) => {
    const { dataDir, path } = await freshFolder(t);
    await openKey(dataDir);
    const der = Buffer.from((await readFile(path, 'utf8')).replaceAll(/-----.*-----|\n/g, ''), 'base64');
    for (let bit = 36 * 8; bit < 68 * 8; bit += 17) {
      const changed = Buffer.from(der);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      await writeFile(path, `-----BEGIN PRIVATE KEY-----\n${changed.toString('base64')}\n-----END PRIVATE KEY-----\n`);
      await assert.rejects(openKey(dataDir), { name: 'KeyFileError' }, `bit ${bit}`);
    }
  });

  test('created twice at once is one key', async (t) => {
    const { dataDir } = await freshFolder(t);
    const [first, second] = await Promise.allSettled([openKey(dataDir), openKey(dataDir)]);
    const kept = await openKey(dataDir);
    const made = [first, second].filter((outcome) => outcome.status === 'fulfilled');
    assert.ok(made.length > 0);
    for (const { value } of made) assert.ok(value.equals(kept));
  });
});
