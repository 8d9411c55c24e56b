import { endAllTokens, rotateKeys } from '#cloud/identity/key-ring.ts';
import { renewInternalToken } from '#cloud/operator/data-place.ts';
import type { SigningKeyRow } from '#cloud/store/schema.ts';
import { listSigningKeys } from '#cloud/store/tokens.ts';
import { formatTime, hourMs } from '#contract/time.ts';
import { command } from '../line/command.ts';
import { platformConfig, platformOptions, withPlatformStore } from '../server/platform-store.ts';
import { requireConfirmation, yesOption } from '../terminal/confirm.ts';
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
  summary: 'List the signing keys of access tokens',
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin keys list'],
  async run({ options }, shell) {
    const config = await platformConfig(shell, options);
    const rows = await withPlatformStore({ config, shell }, ({ store }) => listSigningKeys(store.db));
    printList(shell, options.json, rows.map(shown), fields);
  },
});

const rotate = command({
  name: 'admin keys rotate',
  summary: 'Switch to the next signing key; tokens signed with the old one stay valid until they expire',
  options: {
    ...platformOptions,
    compromised: { help: 'the database or a backup leaked: replace all keys and revoke all tokens at once' },
    yes: yesOption,
    json: jsonOption,
  },
  examples: ['admin keys rotate', 'admin keys rotate --compromised --yes'],
  async run({ options }, shell) {
    const config = await platformConfig(shell, options);
    const { compromised } = options;
    if (compromised) {
      await requireConfirmation(options.yes, 'This signs out all users and applications.', shell, rotate.name);
    }
    const rows = await withPlatformStore({ config, shell }, async ({ store, clock }) => {
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
