import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { Link, place } from '../parts/router.tsx';
import { texts } from '../parts/text.ts';
import { ItemLink, placesToGo } from './rail.tsx';
import { isSimulated } from './simulation.ts';

const t = texts({
  en: { menu: 'More pages', simulated: 'Simulated data', start: 'Ohmstead, to your sites' },
  sv: { menu: 'Fler sidor', simulated: 'Simulerade data', start: 'Ohmstead, till dina anläggningar' },
});

export function Head() {
  const menu = useRef<HTMLDetailsElement>(null);
  const here = place.value.pathname;
  useEffect(() => {
    if (menu.current) menu.current.open = false;
  }, [here]);
  return (
    <header class="head">
      <Link to="/app/sites" class="brand" label={t('start')}>
        <img src="/icon.svg" alt="" width="28" height="28" />
        Ohmstead
      </Link>
      {isSimulated.value && <span class="tag warning">{t('simulated')}</span>}
      <details class="menu push" ref={menu}>
        <summary aria-label={t('menu')}>
          <Icon name="more" />
        </summary>
        <ul>
          {placesToGo().later.map((item) => (
            <li key={item.name}>
              <ItemLink {...item} />
            </li>
          ))}
        </ul>
      </details>
    </header>
  );
}
