import { endAllTokens, rotateKeys } from '#cloud/identity/key-ring.ts';
import { renewInternalToken } from '#cloud/operator/data-place.ts';
import type { SigningKeyRow } from '#cloud/store/schema.ts';
import { listSigningKeys } from '#cloud/store/tokens.ts';
import { formatTime, hourMs } from '#contract/time.ts';
import { command } from '../line/command.ts';
import { onPlatform, platformConfig, platformOptions } from '../server/on-platform.ts';
import { agree, yesOption } from '../terminal/confirm.ts';
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
  options: {
    ...platformOptions,
    compromised: { says: 'the database or a backup leaked: delete all keys, make new ones and end all tokens at once' },
    yes: yesOption,
    json: jsonOption,
  },
  examples: ['admin keys rotate', 'admin keys rotate --compromised --yes'],
  async run({ options }, shell) {
    const config = await platformConfig(shell, options);
    const { compromised } = options;
    if (compromised) {
      await agree(options.yes, 'This signs out everybody and every application, everywhere.', shell, rotate.name);
    }
    const rows = await onPlatform({ config, shell }, async ({ store, clock }) => {
      const now = clock.now();
      await store.write(({ db }) =>
        compromised ? endAllTokens(db, now) : rotateKeys(db, now, config.TOKEN_HOURS * hourMs),
      );
      if (compromised) renewInternalToken(config.DATA_DIR);
      return listSigningKeys(store.db);
    });
    printList(shell, options.json, rows.map(shown), fields);
  },
});

export const keysCommands = [list, rotate];
