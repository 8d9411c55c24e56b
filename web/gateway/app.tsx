import { Empty } from '../parts/notice.tsx';
import { Link, Pages } from '../parts/router.tsx';
import { Shell } from '../parts/shell.tsx';
import { texts } from '../parts/text.ts';
import { Head } from './head.tsx';
import { pages } from './pages.ts';
import { firstPlaces, laterPlaces, PlaceLink } from './places.tsx';
import { RestartNotice } from './restart.tsx';
import { TokenDialog } from './token-dialog.tsx';
import './gateway.css';

const t = texts({
  en: { pages: 'Pages', lost: 'There is no such page', home: 'To what flows now' },
  sv: { pages: 'Sidor', lost: 'Sidan finns inte', home: 'Till det som flödar nu' },
});

export function App() {
  return (
    <>
      <Shell head={<Head />} rail={<Rail />}>
        <RestartNotice />
        <Pages
          routes={pages}
          otherwise={
            <Empty title={t('lost')}>
              <Link to="/">{t('home')}</Link>
            </Empty>
          }
        />
      </Shell>
      <TokenDialog />
    </>
  );
}

function Rail() {
  return (
    <nav class="rail" aria-label={t('pages')}>
      <ul>
        {firstPlaces.map((each) => (
          <li key={each.name}>
            <PlaceLink {...each} />
          </li>
        ))}
        {laterPlaces.map((each) => (
          <li key={each.name} class="later">
            <PlaceLink {...each} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
