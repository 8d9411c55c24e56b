import { rotateKeys } from '#cloud/identity/key-ring.ts';
import type { SigningKeyRow } from '#cloud/store/schema.ts';
import { listSigningKeys } from '#cloud/store/tokens.ts';
import { formatTime, hourMs } from '#contract/time.ts';
import { command } from '../line/command.ts';
import { onPlatform, platformConfig, platformOptions } from '../server/on-platform.ts';
import { jsonOption, printList } from '../terminal/output.ts';

const shown = ({ kid, stage, created_at, expires_at }: SigningKeyRow) => ({
  kid,
  stage,
  created_at: formatTime(created_at),
  expires_at: expires_at === null ? null : formatTime(expires_at),
});

const fields = ['kid', 'stage', 'created_at', 'expires_at'];

const list = command({
  name: 'admin keys list',
  summary: 'List the keys that access tokens are signed with',
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin keys list'],
  async run({ options }, shell) {
    const config = await platformConfig(shell, options);
    const rows = await onPlatform({ config, shell }, ({ store }) => listSigningKeys(store.db));
    printList(shell, options.json, rows.map(shown), fields);
  },
});

const rotate = command({
  name: 'admin keys rotate',
  summary: 'Sign with the next key from now on; tokens of the old one stay valid until they end',
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin keys rotate'],
  async run({ options }, shell) {
    const config = await platformConfig(shell, options);
    const tokenLifeMs = config.TOKEN_HOURS * hourMs;
    const rows = await onPlatform({ config, shell }, async ({ store, clock }) => {
      await store.write(({ db }) => rotateKeys(db, clock.now(), tokenLifeMs));
      return listSigningKeys(store.db);
    });
    printList(shell, options.json, rows.map(shown), fields);
  },
});

export const keysCommands = [list, rotate];
