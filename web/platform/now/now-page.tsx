import type { SiteDetails } from '#contract/cloud/sites.ts';
import { FlowCard } from '../../flow/flow-card.tsx';
import { Loaded } from '../../parts/load.tsx';
import { Empty, Failed, Notice } from '../../parts/notice.tsx';
import { now } from '../../parts/now.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Link, type Params } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { useLive } from '../live.ts';
import { useSite } from '../site.ts';
import { flowsOf } from './flows.ts';
import { PhasesCard } from './phases-card.tsx';
import { PriceCard } from './price-card.tsx';
import './now.css';

const t = texts({
  en: {
    live: 'Live',
    lost: 'The connection is lost and tried again. What you see is the last that was heard.',
    none: 'No device sends here yet',
    claim: 'Claim a gateway',
    devices: 'Its devices',
  },
  sv: {
    live: 'Direkt',
    lost: 'Förbindelsen är bruten och prövas igen. Det du ser är det sista som hördes.',
    none: 'Ingen enhet skickar hit ännu',
    claim: 'Ta över en gateway',
    devices: 'Enheterna',
  },
});

export default function NowPage({ params }: { params: Params }) {
  const site = useSite(params.site!);
  return <Loaded from={site}>{(value) => <Now key={value.id} site={value} />}</Loaded>;
}

function Now({ site }: { site: SiteDetails }) {
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
      {live.connection.value === 'lost' && <Notice tone="warning">{t('lost')}</Notice>}
      {live.problem.value !== undefined && <Failed problem={live.problem.value} />}
      <FlowCard flows={flows} />
      <div class="cards">
        <PriceCard site={site} />
        <PhasesCard grid={flows.grid} fuse={site.fuse_a} siteId={site.id} />
      </div>
    </>
  );
}
