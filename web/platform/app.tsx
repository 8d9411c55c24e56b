import { Button } from '../parts/action.tsx';
import { Loading, Notice } from '../parts/layout.tsx';
import { useLoad } from '../parts/load.tsx';
import { timeNow } from '../parts/now.ts';
import { findPage, Pages, pageUrl } from '../parts/router.tsx';
import { Shell } from '../parts/shell.tsx';
import { dateAndTime, texts, timeOfDay } from '../parts/text.ts';
import { lastValues } from './last-values.ts';
import { navigation } from './navigation.ts';
import { pages, publicPages } from './pages.ts';
import { isUnreachable, retryNow } from './reach.ts';
import { session } from './session.ts';
import { SignIn } from './sign-in/sign-in.tsx';
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
  if (isUnreachable.value && state !== 'in' && lastValues.value) return <Offline />;
  const isPublic = findPage(publicPages, pageUrl.value.pathname) !== undefined;
  if (!isPublic && state === 'opening') return <Loading />;
  if (!isPublic && state === 'out') return <SignIn />;
  return <Pages routes={pages} home="/app/sites" />;
}

function Offline() {
  const Page = useLoad(() => import('./offline/offline-page.tsx'), []).value?.default;
  return Page ? <Page /> : <Loading />;
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
        {isSimulated.value && <span class="tag warning">{t('simulated')}</span>}
      </>
    }
    {...navigation()}
  >
    <OfflineNotice />
    <Content />
  </Shell>
);
