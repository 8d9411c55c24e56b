import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { ClientsCard } from './clients-card.tsx';
import { ConsentsCard } from './consents-card.tsx';
import './integrations.css';

const t = texts({
  en: {
    title: 'Applications',
    says: 'A dashboard or a service of somebody else can sign you in with your key and read, or control, only what you allow it.',
  },
  sv: {
    title: 'Appar',
    says: 'En instrumentpanel eller någon annans tjänst kan logga in dig med din nyckel och läsa, eller styra, bara det du tillåter.',
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
