import { FlowCard } from '../../flow/flow-card.tsx';
import { Empty } from '../../parts/notice.tsx';
import { now } from '../../parts/now.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { useLive } from '../live.ts';
import { LiveStatus, sitePage } from '../site-page.tsx';
import { flowsOf } from './flows.ts';
import { PhasesCard } from './phases-card.tsx';
import { PriceCard } from './price-card.tsx';
import './now.css';

const t = texts({
  live: ['Live', 'Direkt'],
  none: ['No devices yet', 'Inga enheter ännu'],
  claim: ['Claim a gateway', 'Ta över en gateway'],
  devices: ['Go to devices', 'Gå till enheter'],
});

export default sitePage(function NowPage({ site }) {
  const live = useLive(site.id);
  if (site.devices.length === 0) {
    return (
      <>
        <PageHead title={site.name} />
        <Empty title={t('none')}>
          <div class="actions">
            <Link class="button main" to={`/app/gateways/claim?site=${site.id}`}>
              {t('claim')}
            </Link>
            <Link class="button" to={`/app/sites/${site.id}/devices`}>
              {t('devices')}
            </Link>
          </div>
        </Empty>
      </>
    );
  }
  const flows = flowsOf(site.devices, live.readings.value, now.value);
  return (
    <>
      <PageHead title={site.name}>
        {live.connection.value === 'open' && <span class="tag good">{t('live')}</span>}
      </PageHead>
      <LiveStatus live={live} />
      <FlowCard flows={flows} />
      <div class="cards">
        <PriceCard site={site} />
        <PhasesCard grid={flows.grid} fuse={site.fuse_a} siteId={site.id} />
      </div>
    </>
  );
});
