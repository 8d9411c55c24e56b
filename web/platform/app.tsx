import type { ComponentType } from 'preact';
import { Button } from '../parts/action.tsx';
import { Failed, Loading, Notice } from '../parts/layout.tsx';
import { useLoad } from '../parts/load.tsx';
import { timeNow } from '../parts/now.ts';
import { findPage, Pages, pageUrl } from '../parts/router.tsx';
import { Shell } from '../parts/shell.tsx';
import { dateAndTime, loadAllTexts, texts, timeOfDay } from '../parts/text.ts';
import { lastValues } from './last-values.ts';
import { navigation } from './navigation.ts';
import { pages, publicPages } from './pages.ts';
import { isUnreachable, retryNow } from './reach.ts';
import { session } from './session.ts';
import { isSimulated } from './simulation.ts';
import { SiteSwitcher } from './site-switcher.tsx';

const t = texts({
  simulated: 'Simulated data',
  start: 'Ohmstead, go to sites',
  offline: 'Offline. The pages continue by themselves when the platform answers.',
  lastValues: 'Offline. Last values from {time}.',
  retry: 'Retry now',
});

function Content() {
  const { state } = session.value;
  if (isUnreachable.value && state !== 'in' && lastValues.value) return <Later key="offline" load={loadOffline} />;
  const isPublic = findPage(publicPages, pageUrl.value.pathname) !== undefined;
  if (!isPublic && state === 'opening') return <Loading />;
  if (!isPublic && state === 'out') return <Later key="sign-in" load={loadSignIn} />;
  return <Pages routes={pages} home="/app/sites" />;
}

const loadOffline = () => import('./offline/offline-page.tsx');
const loadSignIn = async () => {
  const [page] = await Promise.all([import('./sign-in/sign-in.tsx'), loadAllTexts()]);
  return page;
};

/** Shows a page that few visits need, which is therefore loaded when it is shown. */
function Later({ load }: { load(): Promise<{ default: ComponentType }> }) {
  const { value, problem } = useLoad(load, [load]);
  const Page = value?.default;
  if (Page) return <Page />;
  return problem === undefined ? <Loading /> : <Failed problem={problem} again={() => location.reload()} />;
}

/** Says how old the values are while the platform cannot be reached. */
function OfflineNotice() {
  if (!isUnreachable.value) return null;
  const atMs = lastValues.value?.atMs;
  const isOfToday = atMs !== undefined && new Date(atMs).toDateString() === new Date(timeNow()).toDateString();
  return (
    <Notice tone="warning">
      <p>
        {atMs === undefined ? t('offline') : t('lastValues', { time: isOfToday ? timeOfDay(atMs) : dateAndTime(atMs) })}
      </p>
      <Button tone="plain" label={t('retry')} onClick={retryNow} />
    </Notice>
  );
}

export const App = () => (
  <Shell
    name="Ohmstead"
    home={{ to: '/app/sites', label: t('start') }}
    beside={
      <>
        {session.value.state === 'in' && <SiteSwitcher />}
        {isSimulated && <span class="tag warning">{t('simulated')}</span>}
      </>
    }
    {...navigation()}
  >
    <OfflineNotice />
    <Content />
  </Shell>
);
