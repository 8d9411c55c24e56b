import type { ComponentChildren } from 'preact';
import { type Device, getDevice } from '#contract/cloud/devices.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Age } from '../../parts/age.tsx';
import { CopyableId } from '../../parts/copy.tsx';
import { Card, Details, PageHead } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { go, Link, LinkButton, paramOf } from '../../parts/router.tsx';
import { dateAndTime, texts } from '../../parts/text.ts';
import { useLive } from '../live.ts';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { WhyLink } from '../silent-devices.tsx';
import { LiveStatus, sitePage } from '../site-page.tsx';
import { DerCard } from './der-card.tsx';
import { DeviceActions } from './device-actions.tsx';
import { deviceTypeWords } from './device-words.ts';
import { lastSeenMs, qualityOf } from './quality.ts';
import { OnlineTag, QualityTag, qualityDescription, useOnlineGateways } from './status-tags.tsx';
import './devices.css';

const t = texts({
  all: 'All devices at {name}',
  about: 'Device details',
  id: 'ID',
  showGateway: 'Show gateway',
  serialOfGateway: 'Serial number of the gateway',
});

export default sitePage(function DevicePage({ site, params }) {
  const id = paramOf(params, 'device');
  const device = useLoad((signal) => api().call(getDevice, { params: { device_id: id }, signal }), [id]);
  return <Loaded from={device}>{(value) => <DeviceView site={site} device={value} again={device.again} />}</Loaded>;
});

function DeviceView({ site, device, again }: { site: SiteDetails; device: Device; again(): void }) {
  const live = useLive(site.id);
  const mayManage = useMay(site.org_id, 'manage');
  const { value: gateways } = useOnlineGateways(site.org_id, device);
  const base = `/app/sites/${encodeURIComponent(site.id)}`;
  const readings = live.readings.value;
  return (
    <>
      <PageHead title={device.name} says={<Link to={`${base}/devices`}>{t('all', { name: site.name })}</Link>}>
        <LinkButton to={`${base}/history`} label={t('history')} />
        <LinkButton to={`${base}/control`} label={t('control')} />
      </PageHead>
      <LiveStatus live={live} />
      <div class="cards">
        <AboutDevice
          device={device}
          lastSeen={lastSeenMs(device, readings)}
          isOnline={gateways?.get(device.gateway_serial)}
          why={mayManage && <WhyLink siteId={site.id} />}
        >
          {mayManage && (
            <DeviceActions
              device={device}
              siteId={site.id}
              gateways={gateways}
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

type AboutProps = {
  device: Device;
  lastSeen: number | undefined;
  /** whether its gateway is online; undefined if that is not known */
  isOnline: boolean | undefined;
  /** shown while it has no current data */
  why: ComponentChildren;
  children: ComponentChildren;
};

function AboutDevice({ device, lastSeen, isOnline, why, children }: AboutProps) {
  const { id, state, type, manufacturer, model, hardware_id, gateway_serial, created_at } = device;
  const quality = qualityOf(state, lastSeen, isOnline, now.value);
  const facts: [string, ComponentChildren][] = [
    [t('type'), [deviceTypeWords(type), manufacturer, model].filter(Boolean).join(', ')],
    [t('lastSeen'), <Age ms={lastSeen} />],
    [t('added'), dateAndTime(Date.parse(created_at))],
    [
      t('gateway'),
      <>
        <Link to={`/app/gateways?gateway=${encodeURIComponent(gateway_serial)}`}>{t('showGateway')}</Link>{' '}
        {isOnline !== undefined && <OnlineTag isOnline={isOnline} />}
      </>,
    ],
  ];
  const ids: [string, ComponentChildren][] = [
    [t('id'), <CopyableId id={id} />],
    [t('hardwareId'), <CopyableId id={hardware_id} />],
    [t('serialOfGateway'), <CopyableId id={gateway_serial} />],
  ];
  return (
    <Card title={t('about')} class="wide" beside={<QualityTag quality={quality} />}>
      <p class="says">
        {qualityDescription(quality)} {quality !== 'live' && why}
      </p>
      <DeviceFacts of={facts} />
      {children}
      <Details>
        <DeviceFacts of={ids} />
      </Details>
    </Card>
  );
}

const DeviceFacts = ({ of }: { of: readonly [string, ComponentChildren][] }) => (
  <dl class="device-facts">
    {of.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
