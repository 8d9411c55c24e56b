import { generateKeyPairSync } from 'node:crypto';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { algorithmOf, identityOf } from '#cloud/identity/register.ts';
import { createIdentity, disableIdentity, enableIdentity } from '#cloud/operator/identities.ts';
import { listIdentities } from '#cloud/store/identities.ts';
import type { IdentityRow } from '#cloud/store/schema.ts';
import { identityTypes } from '#contract/access.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { type PublicKey, parsePublicKey } from '#lib/keys/public-key.ts';
import { command, UsageError } from '../line/command.ts';
import { platformConfig, platformOptions, withPlatformStore } from '../server/platform-store.ts';
import { columns, jsonOption, printList, printResult } from '../terminal/output.ts';

const shown = (row: IdentityRow) => ({
  ...identityOf(row),
  disabled_at: row.disabled_at === null ? null : formatTime(row.disabled_at),
});

const create = command({
  name: 'admin identity create',
  summary: 'Add an identity of any type',
  options: {
    type: { value: 'TYPE', oneOf: identityTypes, required: true, help: 'type of the identity' },
    name: { value: 'NAME', help: 'display name' },
    'public-key': { value: 'KEY', help: 'public key: base64, base64url, hex or PEM' },
    'new-key': { value: 'FILE', help: 'create a key pair and write the private key to this new file' },
    ...platformOptions,
    json: jsonOption,
  },
  examples: [
    'admin identity create --type root --name "Ada" --new-key root.pem',
    'admin identity create --type internal --public-key BFtY...=',
  ],
  async run({ options }, shell) {
    const { type, name, 'public-key': text, 'new-key': file } = options;
    if ((text === undefined) === (file === undefined)) {
      throw new UsageError('Give either --public-key KEY or --new-key FILE.', create.name);
    }
    const config = await platformConfig(shell, options);
    const made = file === undefined ? undefined : createKeyFile(file, algorithmOf[type]);
    try {
      const key = made?.key ?? parsePublicKey(text!);
      const { identity, isNew } = await withPlatformStore({ config, shell, mayCreate: true }, (deps) =>
        createIdentity({ key, type, name }, deps),
      );
      const facts = [
        ['identity id', identity.id],
        ['public key', identity.public_key],
        ...(file === undefined ? [] : [['private key', file]]),
        ...(isNew ? [] : [['note', 'this identity already existed']]),
      ];
      printResult(shell, options.json, shown(identity), columns(facts));
    } catch (error) {
      made?.discard();
      throw error;
    }
  },
});

const list = command({
  name: 'admin identity list',
  summary: 'List the identities',
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin identity list', 'admin identity list --json'],
  async run({ options }, shell) {
    const config = await platformConfig(shell, options);
    const rows = await withPlatformStore({ config, shell }, ({ store }) => listIdentities(store.db));
    const fields = ['identity_id', 'type', 'name', 'created_at', 'disabled_at'];
    printList(shell, options.json, rows.map(shown), fields);
  },
});

const idArgument = [{ name: 'identity id', help: 'see ohmstead admin identity list' }] as const;

const disable = command({
  name: 'admin identity disable',
  summary: 'Disable an identity: revoke its tokens and block sign-in',
  arguments: idArgument,
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin identity disable idt-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ arguments: { 'identity id': id }, options }, shell) {
    const config = await platformConfig(shell, options);
    const identity = await withPlatformStore({ config, shell }, (deps) => disableIdentity(id, deps));
    printResult(shell, options.json, shown(identity), `${id} is disabled; its tokens stop working within a second.`);
  },
});

const enable = command({
  name: 'admin identity enable',
  summary: 'Enable a disabled identity',
  arguments: idArgument,
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin identity enable idt-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ arguments: { 'identity id': id }, options }, shell) {
    const config = await platformConfig(shell, options);
    const identity = await withPlatformStore({ config, shell }, (deps) => enableIdentity(id, deps));
    printResult(shell, options.json, shown(identity), `${id} is enabled.`);
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
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  return { key: parsePublicKey(pem), discard };
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Problem('conflict', `The file ${path} already exists; it was not changed.`, {}, { cause: error });
  }
}
