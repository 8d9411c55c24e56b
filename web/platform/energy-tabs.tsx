import { Link } from '../parts/router.tsx';
import { texts } from '../parts/text.ts';
import './energy-tabs.css';

const t = texts({
  bill: 'Bill',
  contract: 'Contract',
  'what-if': 'What if',
});

const tabs = ['history', 'bill', 'contract', 'what-if'] as const;

/** Links the pages about the energy of a site. */
export const EnergyTabs = ({ siteId }: { siteId: string }) => (
  <nav class="energy-tabs" aria-label={t('energy')}>
    {tabs.map((name) => (
      <Link key={name} to={`/app/sites/${siteId}/${name}`}>
        {t(name)}
      </Link>
    ))}
  </nav>
);
