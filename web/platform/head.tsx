import { HeadMenu } from '../parts/head-menu.tsx';
import { Link } from '../parts/router.tsx';
import { texts } from '../parts/text.ts';
import { ItemLink, placesToGo } from './rail.tsx';
import { isSimulated } from './simulation.ts';

const t = texts({
  en: { simulated: 'Simulated data', start: 'Ohmstead, to your sites' },
  sv: { simulated: 'Simulerade data', start: 'Ohmstead, till dina anläggningar' },
});

export function Head() {
  return (
    <header class="head">
      <Link to="/app/sites" class="brand" label={t('start')}>
        <img src="/icon.svg" alt="" width="28" height="28" />
        Ohmstead
      </Link>
      {isSimulated.value && <span class="tag warning">{t('simulated')}</span>}
      <HeadMenu>
        {placesToGo().later.map((item) => (
          <li key={item.name}>
            <ItemLink {...item} />
          </li>
        ))}
      </HeadMenu>
    </header>
  );
}
