import { algorithmOf, identityOf } from '#cloud/identity/register.ts';
import { createIdentity, disableIdentity, enableIdentity } from '#cloud/operator/identities.ts';
import { listIdentities } from '#cloud/store/identities.ts';
import type { IdentityRow } from '#cloud/store/schema.ts';
import { identityTypes } from '#contract/access.ts';
import { formatTime } from '#contract/time.ts';
import { parsePublicKey } from '#lib/keys/public-key.ts';
import { command } from '../line/command.ts';
import { UsageError } from '../line/usage-error.ts';
import { createKeyFile } from '../server/key-file.ts';
import { onPlatform, platformConfig, platformOptions } from '../server/on-platform.ts';
import { columns, jsonOption, printList, printResult } from '../terminal/output.ts';

const shown = (row: IdentityRow) => ({
  ...identityOf(row),
  disabled_at: row.disabled_at === null ? null : formatTime(row.disabled_at),
});

const create = command({
  name: 'admin identity create',
  summary: 'Add an identity of any type',
  options: {
    type: { value: 'TYPE', oneOf: identityTypes, required: true, says: 'what it is' },
    name: { value: 'NAME', says: 'what people call it' },
    'public-key': { value: 'KEY', says: 'its public key: base64, base64url, hex or PEM' },
    'new-key': { value: 'FILE', says: 'make a key pair and write the private key to this new file' },
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
      throw new UsageError('Either --public-key KEY or --new-key FILE is wanted.', create.name);
    }
    const config = await platformConfig(shell, options);
    const made = file === undefined ? undefined : createKeyFile(file, algorithmOf[type]);
    try {
      const key = made?.key ?? parsePublicKey(text!);
      const { identity, isNew } = await onPlatform({ config, shell, mayCreate: true }, (deps) =>
        createIdentity({ key, type, name }, deps),
      );
      const facts = [
        ['identity id', identity.id],
        ['public key', identity.public_key],
        ...(file === undefined ? [] : [['private key', file]]),
        ...(isNew ? [] : [['note', 'it was there already']]),
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
    const rows = await onPlatform({ config, shell }, ({ store }) => listIdentities(store.db));
    const fields = ['identity_id', 'type', 'name', 'created_at', 'disabled_at'];
    printList(shell, options.json, rows.map(shown), fields);
  },
});

const idArgument = [{ name: 'identity id', says: 'as admin identity list shows it' }] as const;

const disable = command({
  name: 'admin identity disable',
  summary: 'End the tokens of an identity and keep it from signing in',
  arguments: idArgument,
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin identity disable idt-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ arguments: { 'identity id': id }, options }, shell) {
    const config = await platformConfig(shell, options);
    const identity = await onPlatform({ config, shell }, (deps) => disableIdentity(id, deps));
    printResult(shell, options.json, shown(identity), `${id} is disabled; its tokens end within a second.`);
  },
});

const enable = command({
  name: 'admin identity enable',
  summary: 'Let a disabled identity sign in again',
  arguments: idArgument,
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin identity enable idt-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ arguments: { 'identity id': id }, options }, shell) {
    const config = await platformConfig(shell, options);
    const identity = await onPlatform({ config, shell }, (deps) => enableIdentity(id, deps));
    printResult(shell, options.json, shown(identity), `${id} is enabled.`);
  },
});

export const identityCommands = [create, list, disable, enable];
