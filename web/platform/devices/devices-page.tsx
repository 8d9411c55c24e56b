import { useEffect } from 'preact/hooks';
import { Card } from '../../parts/card.tsx';
import { Empty, Failed } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Link, pageUrl } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { useLive } from '../live.ts';
import { useMay } from '../permissions.ts';
import { LiveStatus, sitePage } from '../site-page.tsx';
import { AddDevice } from './add/add-device.tsx';
import { useDeviceGateways } from './device-gateways.ts';
import { DeviceTable } from './device-table.tsx';
import './devices.css';

const t = texts({
  title: ['Devices', 'Enheter'],
  all: ['All devices', 'Alla enheter'],
  add: ['Add device', 'Lägg till enhet'],
  none: ['No devices yet', 'Inga enheter ännu'],
  noneSays: [
    'A gateway in your home reads the devices. Claim the gateway, then add its devices.',
    'En gateway i hemmet läser av enheterna. Ta över gatewayen och lägg sedan till enheterna.',
  ],
  claim: ['Claim a gateway', 'Ta över en gateway'],
});

export default sitePage(function DevicesPage({ site, again }) {
  const live = useLive(site.id);
  const mayManage = useMay(site.org_id, 'manage');
  const behind = useDeviceGateways(site.org_id, site.devices);
  useEffect(() => live.listen(({ type }) => ['device', 'gateway'].includes(type) && again()), [live]);
  const here = `/app/sites/${encodeURIComponent(site.id)}/devices`;
  const isAdding = mayManage && pageUrl.value.searchParams.has('add');
  return (
    <>
      <PageHead title={t('title')} says={site.name}>
        {mayManage && !isAdding && (
          <Link class="button main" to={`${here}?add`}>
            {t('add')}
          </Link>
        )}
      </PageHead>
      <LiveStatus live={live} />
      <Failed problem={behind.problem} />
      {isAdding && <AddDevice site={site} again={again} />}
      {site.devices.length > 0 ? (
        <Card title={t('all')}>
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
});
