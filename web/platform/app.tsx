import { Loading } from '../parts/layout.tsx';
import { findPage, Pages, pageUrl } from '../parts/router.tsx';
import { Shell } from '../parts/shell.tsx';
import { texts } from '../parts/text.ts';
import { navigation } from './navigation.ts';
import { pages, publicPages } from './pages.ts';
import { session } from './session.ts';
import { SignIn } from './sign-in/sign-in.tsx';
import { isSimulated } from './simulation.ts';
import { SiteSwitcher } from './site-switcher.tsx';

const t = texts({
  simulated: 'Simulated data',
  start: 'Ohmstead, go to sites',
});

function Content() {
  const { state } = session.value;
  const isPublic = findPage(publicPages, pageUrl.value.pathname) !== undefined;
  if (!isPublic && state === 'opening') return <Loading />;
  if (!isPublic && state === 'out') return <SignIn />;
  return <Pages routes={pages} home="/app/sites" />;
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
    <Content />
  </Shell>
);
