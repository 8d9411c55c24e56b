import { useMemo } from 'preact/hooks';
import { type Device, getDevice } from '#contract/cloud/devices.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Failed, Notice } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { go, Link, type Params } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { useLive } from '../live.ts';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { useSite } from '../site.ts';
import { AboutDevice } from './about-device.tsx';
import { DerCard } from './der-card.tsx';
import { DeviceActions } from './device-actions.tsx';
import { useGatewaysBehind } from './gateway-of-device.ts';
import { heardMs } from './quality.ts';
import './devices.css';

const t = texts({
  en: {
    all: 'All devices of {name}',
    history: 'History',
    control: 'Control',
    lost: 'The connection is lost and tried again. What you see is the last that was heard.',
  },
  sv: {
    all: 'Alla enheter i {name}',
    history: 'Historik',
    control: 'Styrning',
    lost: 'Förbindelsen är bruten och prövas igen. Det du ser är det sista som hördes.',
  },
});

export default function DevicePage({ params }: { params: Params }) {
  const site = useSite(params.site!);
  return <Loaded from={site}>{(value) => <OfSite site={value} deviceId={params.device!} />}</Loaded>;
}

function OfSite({ site, deviceId }: { site: SiteDetails; deviceId: string }) {
  const device = useLoad((signal) => api().call(getDevice, { params: { device_id: deviceId }, signal }), [deviceId]);
  return <Loaded from={device}>{(value) => <Shown site={site} device={value} again={device.again} />}</Loaded>;
}

function Shown({ site, device, again }: { site: SiteDetails; device: Device; again(): void }) {
  const live = useLive(site.id);
  const mayManage = useMay(site.org_id, 'manage');
  const gateway = useGatewaysBehind(
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
      {live.connection.value === 'lost' && <Notice tone="warning">{t('lost')}</Notice>}
      {live.problem.value !== undefined && <Failed problem={live.problem.value} />}
      <div class="cards">
        <AboutDevice device={device} heard={heardMs(device, readings)} gateway={gateway}>
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
