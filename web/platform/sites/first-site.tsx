import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { NewSite } from './new-site.tsx';
import './sites.css';

const t = texts({
  en: {
    title: 'Three steps to your first values',
    one: '1. Your key',
    oneSays: 'Done: this browser holds it.',
    two: '2. Your site',
    three: '3. Your gateway',
    threeSays: 'Then claim the gateway that stands in the house, and add its devices.',
    claim: 'Claim a gateway',
  },
  sv: {
    title: 'Tre steg till dina första värden',
    one: '1. Din nyckel',
    oneSays: 'Klart: den finns i webbläsaren.',
    two: '2. Din anläggning',
    three: '3. Din gateway',
    threeSays: 'Ta sedan över gatewayen som står i huset, och lägg till dess enheter.',
    claim: 'Ta över en gateway',
  },
});

/** What somebody sees who has nothing yet. */
export function FirstSite() {
  return (
    <>
      <PageHead title={t('title')} />
      <ol class="first-steps">
        <li>
          <Card title={t('one')}>
            <p class="says">
              <Icon name="claim" /> {t('oneSays')}
            </p>
          </Card>
        </li>
        <li>
          <Card title={t('two')}>
            <NewSite />
          </Card>
        </li>
        <li>
          <Card title={t('three')}>
            <p class="says">{t('threeSays')}</p>
            <Link to="/app/gateways/claim">{t('claim')}</Link>
          </Card>
        </li>
      </ol>
    </>
  );
}
