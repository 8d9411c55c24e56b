import { Loading } from '../parts/loading.tsx';
import { Empty } from '../parts/notice.tsx';
import { findPage, Link, Pages, place } from '../parts/router.tsx';
import { Shell } from '../parts/shell.tsx';
import { texts } from '../parts/text.ts';
import { Head } from './head.tsx';
import { pages, publicPages } from './pages.ts';
import { Rail } from './rail.tsx';
import { session } from './session.ts';
import { SignIn } from './sign-in/sign-in.tsx';

const t = texts({
  en: { lost: 'There is no such page', home: 'To your sites' },
  sv: { lost: 'Sidan finns inte', home: 'Till dina anläggningar' },
});

function Content() {
  const { state } = session.value;
  const isPublic = findPage(publicPages, place.value.pathname) !== undefined;
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
