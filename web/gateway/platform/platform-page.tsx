import { getStatus } from '#contract/gateway/status.ts';
import { Loaded } from '../../parts/load.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { usePoll } from '../poll.ts';
import { BrokersCard } from './brokers-card.tsx';
import { ClaimCard } from './claim-card.tsx';
import { SignaturesCard } from './signatures-card.tsx';
import { UplinkCard } from './uplink-card.tsx';
import './platform.css';

const t = texts({
  en: { title: 'Platform', says: 'Where what is measured is sent, and who the gateway belongs to.' },
  sv: { title: 'Plattform', says: 'Vart det som mäts skickas, och vem gatewayen hör till.' },
});

export default function PlatformPage() {
  const status = usePoll((signal) => gateway.call(getStatus, { signal }));
  return (
    <>
      <PageHead title={t('title')} says={t('says')} />
      <div class="cards">
        <Loaded from={status}>{({ uplink }) => <UplinkCard uplink={uplink} />}</Loaded>
        <BrokersCard />
        <ClaimCard />
        <SignaturesCard />
      </div>
    </>
  );
}
