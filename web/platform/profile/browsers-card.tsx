import { useSignal } from '@preact/signals';
import {
  type Browser,
  cancelPairing,
  confirmPairing,
  getPairing,
  listBrowsers,
  type NewPairing,
  type Pairing,
  removeBrowser,
  startPairing,
} from '#contract/cloud/browsers.ts';
import { comparisonCode, confirmMessage } from '#contract/pairing.ts';
import { ActionButton, Button, ConfirmButton, useAction } from '../../parts/action.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Card, Failed, Notice } from '../../parts/layout.tsx';
import { LoadedTable, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { QrCode } from '../../parts/qr-code.tsx';
import { dateAndTime, texts, timeOfDay } from '../../parts/text.ts';
import { explaining } from '../explain.ts';
import { api, session, signWithKey } from '../session.ts';
import './browsers.css';

const t = texts({
  title: 'Your other browsers and phones',
  says: 'Each one that you add signs in with a key of its own. You can remove it here, for example when a phone is lost.',
  add: 'Add a browser or phone',
  none: 'No other browser or phone has been added.',
  browser: 'Browser',
  cancel: 'Cancel',
  close: 'Close',
  remove: 'Remove',
  removeOf: 'Remove: {browser}',
  removeSays: 'It is signed out within seconds and cannot sign in again, unless you add it again.',
  scan: 'Scan this code with the phone, or open the link in the other browser. It is valid until {time}, for one browser.',
  code: 'Link for the other browser as a QR code',
  copy: 'Copy link',
  asks: '{browser} wants to sign in as you.',
  compare: 'Add it only if it shows this code:',
  confirm: 'The codes match, add it',
  done: '{browser} has been added.',
  gone: 'The link has expired or was replaced by a newer one. Create a new link.',
});

/** Lists the browsers that the person added, and adds another one. */
export function BrowsersCard() {
  const loaded = useLoad((signal) => api().call(listBrowsers, { signal }), []);
  const pairing = useSignal<NewPairing | undefined>(undefined);
  const added = useSignal<string | undefined>(undefined);
  const start = useAction(async () => {
    added.value = undefined;
    pairing.value = await api().call(startPairing);
  });
  const current = session.value;
  if (current.state !== 'in' || current.isDemo) return null; // a demo session has no key that could confirm
  const remove = async ({ id }: Browser): Promise<void> => {
    await api().call(removeBrowser, { params: { browser_id: id } });
    loaded.again();
  };
  const finish = (browser?: Browser): void => {
    pairing.value = undefined;
    added.value = browser?.description;
    if (browser) loaded.again();
  };
  return (
    <Card title={t('title')} says={t('says')}>
      {pairing.value ? (
        <Adding key={pairing.value.id} pairing={pairing.value} onDone={finish} />
      ) : (
        <div class="actions">
          <ActionButton does={start} label={t('add')} />
        </div>
      )}
      {added.value !== undefined && <Notice tone="good">{t('done', { browser: added.value })}</Notice>}
      <LoadedTable
        caption={t('title')}
        from={loaded}
        empty={<p class="says">{t('none')}</p>}
        keyOf={({ id }) => id}
        columns={[
          { title: t('browser'), show: ({ description }) => description },
          { title: t('added'), show: ({ created_at }) => dateAndTime(Date.parse(created_at)) },
          {
            title: t('actions'),
            show: (one) => (
              <ConfirmButton
                tone="quiet"
                label={t('remove')}
                ariaLabel={t('removeOf', { browser: one.description })}
                says={t('removeSays')}
                work={() => remove(one)}
              />
            ),
          },
        ]}
      />
    </Card>
  );
}

const pollMs = 2000;

type Joined = NonNullable<Pairing['browser']>;

/** Shows the link until a browser opens it, then asks for confirmation. */
function Adding({ pairing, onDone }: { pairing: NewPairing; onDone(added?: Browser): void }) {
  const state = useLoad((signal) => api().call(getPairing, { signal }), [], Math.floor(now.value / pollMs));
  const cancel = useAction(async () => {
    await api().call(cancelPairing);
    onDone();
  });
  const open = state.value?.pairing;
  const confirm = useAction(async () => {
    if (!open?.browser) return;
    const { public_key } = open.browser;
    const { identityId } = api();
    const text = confirmMessage({ identityId, pairingId: pairing.id, publicKey: public_key });
    const body = { public_key, signature: await signWithKey(text) };
    onDone(await explaining(api().call(confirmPairing, { body }), t));
  });
  const isOver = state.value !== undefined && open?.id !== pairing.id && !confirm.isBusy;
  if (isOver) {
    return (
      <Notice tone="warning">
        <p>{t('gone')}</p>
        <Button tone="plain" label={t('close')} onClick={() => onDone()} />
      </Notice>
    );
  }
  return (
    <Notice>
      {open?.browser ? (
        <Comparison key={open.browser.public_key} url={pairing.url} browser={open.browser} />
      ) : (
        <>
          <p>{t('scan', { time: timeOfDay(Date.parse(pairing.expires_at)) })}</p>
          <QrCode text={pairing.url} label={t('code')} />
          <p class="link">
            <code>{pairing.url}</code>
          </p>
        </>
      )}
      <Failed problem={state.problem} />
      <div class="actions">
        {open?.browser ? (
          <ActionButton does={confirm} label={t('confirm')} />
        ) : (
          <CopyButton text={pairing.url} label={t('copy')} />
        )}
        <ActionButton does={cancel} tone="plain" label={t('cancel')} />
      </div>
    </Notice>
  );
}

/** Shows which browser opened the link, and the code of its key. */
function Comparison({ url, browser: { public_key, description } }: { url: string; browser: Joined }) {
  const code = useLoad(() => comparisonCode(new URL(url).hash.slice(1), public_key), [url, public_key]);
  return (
    <>
      <p>
        <b>{t('asks', { browser: description })}</b>
      </p>
      <p>{t('compare')}</p>
      <p class="comparison-code">{code.value}</p>
    </>
  );
}
