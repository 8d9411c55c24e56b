import { useEffect } from 'preact/hooks';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/load.tsx';
import { Empty, Failed, Notice } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Link, type Params, pageUrl } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { useLive } from '../live.ts';
import { useMay } from '../permissions.ts';
import { useSite } from '../site.ts';
import { AddDevice } from './add/add-device.tsx';
import { DeviceTable } from './device-table.tsx';
import { useGatewaysBehind } from './gateway-of-device.ts';
import './devices.css';

const t = texts({
  en: {
    title: 'Devices',
    of: 'What is read in {name}',
    add: 'Add a device',
    none: 'No device yet',
    noneSays: 'Devices are read by a gateway in the house. Claim it, then add what it reads.',
    claim: 'Claim a gateway',
    lost: 'The connection is lost and tried again. What you see is the last that was heard.',
  },
  sv: {
    title: 'Enheter',
    of: 'Det som läses i {name}',
    add: 'Lägg till en enhet',
    none: 'Ingen enhet ännu',
    noneSays: 'Enheter läses av en gateway i huset. Ta över den, och lägg sedan till det den läser.',
    claim: 'Ta över en gateway',
    lost: 'Förbindelsen är bruten och prövas igen. Det du ser är det sista som hördes.',
  },
});

export default function DevicesPage({ params }: { params: Params }) {
  const site = useSite(params.site!);
  return <Loaded from={site}>{(value) => <Devices key={value.id} site={value} again={site.again} />}</Loaded>;
}

function Devices({ site, again }: { site: SiteDetails; again(): void }) {
  const live = useLive(site.id);
  const mayManage = useMay(site.org_id, 'manage');
  const behind = useGatewaysBehind(site.org_id, site.devices);
  useEffect(() => live.listen(({ type }) => ['device', 'gateway'].includes(type) && again()), [live]);
  const here = `/app/sites/${encodeURIComponent(site.id)}/devices`;
  const isAdding = mayManage && pageUrl.value.searchParams.has('add');
  return (
    <>
      <PageHead title={t('title')} says={t('of', { name: site.name })}>
        {mayManage && !isAdding && (
          <Link class="button main" to={`${here}?add`}>
            {t('add')}
          </Link>
        )}
      </PageHead>
      {live.connection.value === 'lost' && <Notice tone="warning">{t('lost')}</Notice>}
      {live.problem.value !== undefined && <Failed problem={live.problem.value} />}
      {behind.problem !== undefined && <Failed problem={behind.problem} />}
      {isAdding && <AddDevice site={site} again={again} />}
      {site.devices.length > 0 ? (
        <Card title={site.name}>
          <DeviceTable site={site} readings={live.readings.value} behind={behind} mayManage={mayManage} again={again} />
        </Card>
      ) : (
        !isAdding && (
          <Empty title={t('none')}>
            <p class="says">{t('noneSays')}</p>
            <Link class="button" to={`/app/gateways/claim?site=${site.id}`}>
              {t('claim')}
            </Link>
          </Empty>
        )
      )}
    </>
  );
}
