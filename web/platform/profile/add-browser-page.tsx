import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { keyFromPair, type SigningKey } from '#contract/client/key.ts';
import { joinPairing } from '#contract/cloud/browsers.ts';
import { comparisonCode, joinMessage } from '#contract/pairing.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card, Failed, Loading, Notice, PageHead } from '../../parts/layout.tsx';
import { useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { go, LinkButton, pageUrl } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { canStoreKeys, createKeyPair } from '../browser-key.ts';
import { explaining } from '../explain.ts';
import { checkNoUnsavedKey, publicApi, session, signInAsAdded } from '../session.ts';
import './browsers.css';

const t = texts({
  title: 'Add this browser',
  says: 'You scanned a code or opened a link of a browser in which you are signed in. Use it only if you created it yourself.',
  ask: 'Add this browser',
  askSays: 'This browser creates a key of its own. It is added once you confirm it in the other browser.',
  waiting: 'Confirm in the other browser',
  account: 'This browser will be signed in as {name}.',
  accountNameless: 'This browser will be signed in to the account of the other browser.',
  compare: 'The other browser must show the same code. Keep this page open.',
  signedIn: 'This browser is signed in as {name} already. To add it to another account, sign out first.',
  signedInNameless: 'This browser is signed in already. To add it to another account, sign out first.',
  incomplete: 'The link is incomplete. Scan the code again.',
  gone: 'This link has expired, was withdrawn, or was opened by another browser before. If that was not you, cancel in the first browser and create a new link there.',
  cannot:
    'This browser stores keys only for https and localhost pages. Open this page that way, or use the command line.',
});

/** Asks a browser of the account to add this one. */
export default function AddBrowserPage() {
  const current = session.value;
  const pair = useSignal<CryptoKeyPair | undefined>(undefined);
  const secret = pageUrl.value.hash.slice(1);
  const ask = useAction(async () => {
    const made = await createKeyPair({ isExtractable: false });
    await checkNoUnsavedKey(made);
    await join(secret, await keyFromPair(made));
    pair.value = made;
  });
  return (
    <>
      <PageHead title={t('title')} says={t('says')} />
      {current.state === 'opening' && <Loading />}
      {current.state === 'in' && !pair.value && <SignedIn name={current.name} />}
      {current.state === 'out' && !pair.value && (
        <Card title={t('ask')} says={t('askSays')}>
          {!canStoreKeys() && <Notice tone="warning">{t('cannot')}</Notice>}
          {secret === '' ? (
            <Notice tone="warning">{t('incomplete')}</Notice>
          ) : (
            <ActionButton does={ask} label={t('ask')} />
          )}
        </Card>
      )}
      {pair.value && <Waiting secret={secret} pair={pair.value} />}
    </>
  );
}

const SignedIn = ({ name }: { name: string | undefined }) => (
  <Notice>
    <p>{name ? t('signedIn', { name }) : t('signedInNameless')}</p>
    <LinkButton to="/app/settings" label={t('settings')} />
  </Notice>
);

const join = async (secret: string, { publicKey: public_key, sign }: SigningKey) => {
  const body = { secret, public_key, signature: await sign(joinMessage(secret, public_key)) };
  return explaining(publicApi.call(joinPairing, { body }), t);
};

const pollMs = 2000;

/** Shows the code until the other browser has confirmed, then signs in. */
function Waiting({ secret, pair }: { secret: string; pair: CryptoKeyPair }) {
  const state = useLoad(
    async () => {
      const key = await keyFromPair(pair);
      return { ...(await join(secret, key)), code: await comparisonCode(secret, key.publicKey) };
    },
    [pair],
    Math.floor(now.value / pollMs),
  );
  const enter = useAction(async () => {
    await signInAsAdded(pair);
    go('/app/sites', { replace: true });
  });
  const isConfirmed = state.value?.state === 'confirmed';
  useEffect(() => {
    if (isConfirmed) void enter.run();
  }, [isConfirmed]);
  if (state.problem !== undefined) return <Failed problem={state.problem} />;
  if (enter.problem !== undefined) return <Failed problem={enter.problem} />;
  if (!state.value || isConfirmed) return <Loading />;
  const { name, code } = state.value;
  return (
    <Card title={t('waiting')} says={name ? t('account', { name }) : t('accountNameless')}>
      <p class="comparison-code" role="status">
        {code}
      </p>
      <p>{t('compare')}</p>
    </Card>
  );
}
