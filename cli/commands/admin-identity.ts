import { generateKeyPairSync } from 'node:crypto';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { algorithmOf, identityOf } from '#cloud/identity/register.ts';
import { createIdentity, disableIdentity, enableIdentity } from '#cloud/operator/identities.ts';
import { listIdentities } from '#cloud/store/identities.ts';
import type { IdentityRow } from '#cloud/store/schema.ts';
import { identityTypes } from '#contract/access.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { errorCode } from '#lib/error-code.ts';
import { type PublicKey, parsePublicKey } from '#lib/keys/public-key.ts';
import { UsageError } from '../line/command.ts';
import { onPlatform } from '../server/platform-store.ts';
import { columns } from '../terminal/output.ts';

const shown = (row: IdentityRow) => ({
  ...identityOf(row),
  disabled_at: row.disabled_at === null ? null : formatTime(row.disabled_at),
});

const create = onPlatform('admin identity create', {
  summary: 'Add an identity of any type',
  options: {
    type: { value: 'TYPE', oneOf: identityTypes, required: true, help: 'type of the identity' },
    name: { value: 'NAME', help: 'display name' },
    'public-key': { value: 'KEY', help: 'public key: base64, base64url, hex or PEM' },
    'new-key': { value: 'FILE', help: 'create a key pair and write the private key to this new file' },
  },
  examples: [
    'admin identity create --type root --name "Ada" --new-key root.pem',
    'admin identity create --type internal --public-key BFtY...=',
  ],
  async run({ withStore, options: { type, name, 'public-key': text, 'new-key': file } }) {
    if ((text === undefined) === (file === undefined)) {
      throw new UsageError('Give either --public-key KEY or --new-key FILE.');
    }
    const made = file === undefined ? undefined : createKeyFile(file, algorithmOf[type]);
    try {
      const key = made?.key ?? parsePublicKey(text!);
      const { identity, isNew } = await withStore((deps) => createIdentity({ key, type, name }, deps), {
        mayCreate: true,
      });
      const facts = [
        ['identity id', identity.id],
        ['public key', identity.public_key],
        ...(file === undefined ? [] : [['private key', file]]),
        ...(isNew ? [] : [['note', 'this identity already existed']]),
      ];
      return { result: shown(identity), text: columns(facts) };
    } catch (error) {
      made?.discard();
      throw error;
    }
  },
});

const list = onPlatform('admin identity list', {
  summary: 'List the identities',
  examples: ['admin identity list', 'admin identity list --json'],
  async run({ withStore }) {
    const rows = await withStore(({ store }) => listIdentities(store.db));
    const fields = ['identity_id', 'type', 'name', 'created_at', 'disabled_at'];
    return { items: rows.map(shown), fields };
  },
});

const idArgument = [{ name: 'identity id', help: 'see ohmstead admin identity list' }] as const;

const disable = onPlatform('admin identity disable', {
  summary: 'Disable an identity: revoke its tokens and block sign-in',
  arguments: idArgument,
  examples: ['admin identity disable idt-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ withStore, arguments: { 'identity id': id } }) {
    const identity = await withStore((deps) => disableIdentity(id, deps));
    return { result: shown(identity), text: `${id} is disabled; its tokens stop working within a second.` };
  },
});

const enable = onPlatform('admin identity enable', {
  summary: 'Enable a disabled identity',
  arguments: idArgument,
  examples: ['admin identity enable idt-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ withStore, arguments: { 'identity id': id } }) {
    const identity = await withStore((deps) => enableIdentity(id, deps));
    return { result: shown(identity), text: `${id} is enabled.` };
  },
});

export const identityCommands = [create, list, disable, enable];

type NewKeyFile = { key: PublicKey; discard(): void };

/** Creates a key pair and writes the private key (PKCS 8, PEM) to a new file that only its owner can read. */
function createKeyFile(path: string, algorithm: PublicKey['algorithm']): NewKeyFile {
  const { privateKey, publicKey } =
    algorithm === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const discard = (): void => rmSync(path, { force: true });
  const file = openNew(path);
  try {
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { flush: true });
  } catch (error) {
    discard(); // an incomplete file, for example on a full disk, would block the next attempt
    throw error;
  } finally {
    closeSync(file);
  }
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  return { key: parsePublicKey(pem.toString()), discard };
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new Problem('conflict', `The file ${path} already exists; it was not changed.`, {}, { cause: error });
  }
}
