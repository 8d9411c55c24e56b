import { useSignal } from '@preact/signals';
import {
  createAlertChannel,
  getAlertFollowing,
  getAlertOptions,
  listAlertChannels,
  updateAlertFollowing,
} from '#contract/cloud/alerts.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Notice } from '../../parts/layout.tsx';
import { useLoad } from '../../parts/load.tsx';
import { language, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { browserName, notificationWorker, ownEndpointHash, subscribe } from './this-browser.ts';

const t = texts({
  thisBrowser: 'Notify this browser',
  unavailable: 'Notifications are not available in this browser.',
  installed: 'They need a page over HTTPS; on an iPhone, add the page to the home screen first.',
  offer: 'Would you like a message here when the gateway falls silent or the power is near the main fuse?',
  added: 'This browser is notified. You can change that under Settings, Alerts.',
});

type ThisBrowserProps = {
  worker: ServiceWorkerRegistration | undefined;
  publicKey: string;
  tone?: 'main' | 'plain';
  onAdded(): Promise<void>;
};

/** Makes this browser a receiver of alerts, after the browser has asked for permission. */
export function ThisBrowser({ worker, publicKey, tone = 'main', onAdded }: ThisBrowserProps) {
  const add = useAction(async () => {
    if (!worker) return;
    const push = await subscribe(worker, publicKey);
    await api().call(createAlertChannel, { body: { push, name: browserName(), language: language.value } });
    await onAdded();
  });
  if (!worker)
    return (
      <p class="says">
        {t('unavailable')} {t('installed')}
      </p>
    );
  return <ActionButton does={add} tone={tone} label={t('thisBrowser')} />;
}

/** Offers the alerts of a new home in this browser; shows nothing where that is not possible, or already so. */
export function NotifyOffer({ siteId }: { siteId: string }) {
  const isAdded = useSignal(false);
  const params = { site_id: siteId };
  const offer = useLoad(
    async (signal) => {
      const worker = await notificationWorker();
      if (!worker) return undefined;
      const [following, { push_public_key: publicKey }, channels, ownHash] = await Promise.all([
        api().call(getAlertFollowing, { params, signal }),
        api().call(getAlertOptions, { signal }),
        api().call(listAlertChannels, { signal }),
        ownEndpointHash(worker),
      ]);
      const isKnown = channels.some(({ endpoint_hash }) => ownHash !== undefined && endpoint_hash === ownHash);
      return isKnown && following.follows ? undefined : { worker, publicKey };
    },
    [siteId],
  ).value;
  const follow = async (): Promise<void> => {
    await api().call(updateAlertFollowing, { params, body: { follows: true } });
    isAdded.value = true;
  };
  if (isAdded.value) return <Notice tone="good">{t('added')}</Notice>;
  if (!offer) return null;
  return (
    <Notice>
      <p>{t('offer')}</p>
      <ThisBrowser tone="plain" {...offer} onAdded={follow} />
    </Notice>
  );
}
