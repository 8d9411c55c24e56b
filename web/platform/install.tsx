import { signal } from '@preact/signals';
import { Button } from '../parts/action.tsx';
import { Card } from '../parts/layout.tsx';
import { texts } from '../parts/text.ts';

const t = texts({
  title: 'App',
  says: 'Ohmstead can be installed on this device. It then has its own icon and window, and opens without a connection, too.',
  install: 'Install',
});

/** The event of a browser that can install the pages. */
type InstallOffer = Event & { prompt(): Promise<unknown> };

const offer = signal<InstallOffer | undefined>(undefined);

addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault(); // the page offers it on its settings
  offer.value = event as InstallOffer;
});
addEventListener('appinstalled', () => (offer.value = undefined));

/** Offers to install the pages as an app, where the browser can. */
export function InstallCard() {
  const ready = offer.value;
  if (!ready) return null;
  const install = async (): Promise<void> => {
    offer.value = undefined; // it can be used once
    await ready.prompt();
  };
  return (
    <Card title={t('title')} says={t('says')}>
      <div class="actions">
        <Button tone="main" label={t('install')} onClick={install} />
      </div>
    </Card>
  );
}

/** Registers the service worker once the page is loaded. The development server has none. */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const register = (): void => {
    navigator.serviceWorker.register('/service-worker.js').catch(() => undefined); // the pages work without it
  };
  if (document.readyState === 'complete') register();
  else addEventListener('load', register);
}
