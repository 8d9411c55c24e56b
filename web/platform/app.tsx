import { Empty, Loading } from '../parts/notice.tsx';
import { findPage, Link, Pages, pageUrl } from '../parts/router.tsx';
import { HeadMenu, Shell } from '../parts/shell.tsx';
import { texts } from '../parts/text.ts';
import { pages, publicPages } from './pages.ts';
import { MenuLink, menuItems, Rail } from './rail.tsx';
import { session } from './session.ts';
import { SignIn } from './sign-in/sign-in.tsx';
import { isSimulated } from './simulation.ts';

const t = texts({
  lost: ['Page not found', 'Sidan finns inte'],
  home: ['Go to sites', 'Gå till anläggningar'],
  simulated: ['Simulated data', 'Simulerade data'],
  start: ['Ohmstead, go to sites', 'Ohmstead, gå till anläggningar'],
});

function Content() {
  const { state } = session.value;
  const isPublic = findPage(publicPages, pageUrl.value.pathname) !== undefined;
  if (!isPublic && state === 'opening') return <Loading />;
  if (!isPublic && state === 'out') return <SignIn />;
  return (
    <Pages
      routes={pages}
      otherwise={
        <Empty title={t('lost')}>
          <Link to="/app/sites">{t('home')}</Link>
        </Empty>
      }
    />
  );
}

export function App() {
  return (
    <Shell head={<Head />} rail={<Rail />}>
      <Content />
    </Shell>
  );
}

function Head() {
  return (
    <header class="head">
      <Link to="/app/sites" class="brand" label={t('start')}>
        <img src="/icon.svg" alt="" width="28" height="28" />
        Ohmstead
      </Link>
      {isSimulated.value && <span class="tag warning">{t('simulated')}</span>}
      <HeadMenu>
        {menuItems().later.map((item) => (
          <li key={item.name}>
            <MenuLink {...item} />
          </li>
        ))}
      </HeadMenu>
    </header>
  );
}
