import { endAllTokens, rotateKeys } from '#cloud/identity/key-ring.ts';
import { renewInternalToken } from '#cloud/operator/data-place.ts';
import type { SigningKeyRow } from '#cloud/store/schema.ts';
import { listSigningKeys } from '#cloud/store/tokens.ts';
import { formatTime, hourMs } from '#contract/time.ts';
import { onPlatform } from '../server/platform-store.ts';
import { requireConfirmation, yesOption } from '../terminal/output.ts';

const shown = ({ kid, stage, created_at, expires_at }: SigningKeyRow) => ({
  kid,
  stage,
  created_at: formatTime(created_at),
  expires_at: expires_at === null ? null : formatTime(expires_at),
});

const fields = ['kid', 'stage', 'created_at', 'expires_at'];

const list = onPlatform('admin keys list', {
  summary: 'List the signing keys of access tokens',
  examples: ['admin keys list'],
  async run({ withStore }) {
    const rows = await withStore(({ store }) => listSigningKeys(store.db));
    return { items: rows.map(shown), fields };
  },
});

const rotate = onPlatform('admin keys rotate', {
  summary: 'Switch to the next signing key; tokens signed with the old one stay valid until they expire',
  options: {
    compromised: { help: 'the database or a backup leaked: replace all keys and revoke all tokens at once' },
    yes: yesOption,
  },
  examples: ['admin keys rotate', 'admin keys rotate --compromised --yes'],
  async run({ config, withStore, options }, shell) {
    const { compromised } = options;
    if (compromised) {
      await requireConfirmation(options.yes, 'This signs out all users and applications.', shell);
    }
    const rows = await withStore(async ({ store, clock }) => {
      const now = clock.now();
      await store.write(({ db }) =>
        compromised ? endAllTokens(db, now) : rotateKeys(db, now, config.TOKEN_HOURS * hourMs),
      );
      if (compromised) renewInternalToken(config.DATA_DIR);
      return listSigningKeys(store.db);
    });
    return { items: rows.map(shown), fields };
  },
});

export const keysCommands = [list, rotate];
