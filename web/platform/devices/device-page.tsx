import { useMemo } from 'preact/hooks';
import { type Device, getDevice } from '#contract/cloud/devices.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { go, Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { useLive } from '../live.ts';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { LiveStatus, sitePage } from '../site-page.tsx';
import { AboutDevice } from './about-device.tsx';
import { DerCard } from './der-card.tsx';
import { DeviceActions } from './device-actions.tsx';
import { useDeviceGateways } from './device-gateways.ts';
import { lastSeenMs } from './quality.ts';
import './devices.css';

const t = texts({
  all: ['All devices at {name}', 'Alla enheter i {name}'],
  history: ['History', 'Historik'],
  control: ['Control', 'Styrning'],
});

export default sitePage(function DevicePage({ site, params }) {
  const id = params.device!;
  const device = useLoad((signal) => api().call(getDevice, { params: { device_id: id }, signal }), [id]);
  return <Loaded from={device}>{(value) => <DeviceView site={site} device={value} again={device.again} />}</Loaded>;
});

function DeviceView({ site, device, again }: { site: SiteDetails; device: Device; again(): void }) {
  const live = useLive(site.id);
  const mayManage = useMay(site.org_id, 'manage');
  const gateway = useDeviceGateways(
    site.org_id,
    useMemo(() => [device], [device]),
  ).of(device.id);
  const base = `/app/sites/${encodeURIComponent(site.id)}`;
  const readings = live.readings.value;
  return (
    <>
      <PageHead title={device.name} says={<Link to={`${base}/devices`}>{t('all', { name: site.name })}</Link>}>
        <Link class="button" to={`${base}/history`}>
          {t('history')}
        </Link>
        <Link class="button" to={`${base}/control`}>
          {t('control')}
        </Link>
      </PageHead>
      <LiveStatus live={live} />
      <div class="cards">
        <AboutDevice device={device} lastSeen={lastSeenMs(device, readings)} gateway={gateway}>
          {mayManage && (
            <DeviceActions
              device={device}
              siteId={site.id}
              behind={gateway}
              onChanged={again}
              onDeleted={() => go(`${base}/devices`)}
            />
          )}
        </AboutDevice>
        {device.ders.map((der) => (
          <DerCard key={der.id} der={der} state={device.state} reading={readings.get(der.id)} />
        ))}
      </div>
    </>
  );
}
