import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { ClientsCard } from './clients-card.tsx';
import { ConsentsCard } from './consents-card.tsx';
import './integrations.css';

const t = texts({
  en: {
    title: 'Applications',
    says: 'Dashboards and services from others can sign you in and access only what you allow.',
  },
  sv: {
    title: 'Appar',
    says: 'Instrumentpaneler och tjänster från andra kan logga in dig och kommer bara åt det du tillåter.',
  },
});

export default function IntegrationsPage() {
  return (
    <div class="integrations">
      <PageHead title={t('title')} says={t('says')} />
      <ConsentsCard />
      <ClientsCard />
    </div>
  );
}
