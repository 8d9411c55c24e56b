import { useEffect } from 'preact/hooks';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Empty, Notice } from '../parts/layout.tsx';
import { now } from '../parts/now.ts';
import { Link, LinkButton } from '../parts/router.tsx';
import { texts } from '../parts/text.ts';
import { lastSeenMs, qualityOf } from './devices/quality.ts';
import { qualityDescription, useOnlineGateways } from './devices/status-tags.tsx';
import type { LiveProps } from './live.ts';
import { useMay } from './permissions.ts';

const t = texts({
  noDevicesSays: 'Connect your gateway, and it finds the devices on your network.',
  setUp: 'Set up your devices',
  why: 'Find out why',
  silent: '{name} is not sending.',
  allSilent: 'No device is sending.',
});

const setupOf = (siteId: string): string => `/app/setup?site=${encodeURIComponent(siteId)}`;

/** Leads to the page that finds out why values are missing. */
export const WhyLink = ({ siteId }: { siteId: string }) => <Link to={setupOf(siteId)}>{t('why')}</Link>;

/** Names the devices that are not sending, with the reason, and leads to the page that finds out more. */
export function SilentDevices({ site, live }: LiveProps) {
  const mayManage = useMay(site.org_id, 'manage');
  const gateways = useOnlineGateways(site.org_id, site.devices);
  useEffect(() => live.listen(({ type }) => type === 'gateway' && gateways.again()), [live]);
  if (!gateways.value) return null;
  const states = site.devices.map((device) => {
    const seenMs = lastSeenMs(device, live.readings.value);
    return { device, quality: qualityOf(device.state, seenMs, gateways.value?.get(device.gateway_serial), now.value) };
  });
  const silent = states.filter(({ quality }) => quality !== 'live');
  const [first] = silent;
  if (!first) return null;
  const isAll = silent.length === states.length;
  return (
    <Notice tone="warning">
      {isAll ? (
        <p>
          {t('allSilent')} {qualityDescription(first.quality)}
        </p>
      ) : (
        silent.map(({ device, quality }) => (
          <p key={device.id}>
            {t('silent', { name: device.name })} {qualityDescription(quality)}
          </p>
        ))
      )}
      {mayManage && <WhyLink siteId={site.id} />}
    </Notice>
  );
}

/** Leads from a site without devices to its set-up. */
export function EmptySite({ site }: { site: SiteDetails }) {
  const mayManage = useMay(site.org_id, 'manage');
  if (mayManage === undefined) return null;
  if (!mayManage) return <Empty title={t('noDevices')} />;
  return (
    <Empty title={t('noDevices')} says={t('noDevicesSays')}>
      <LinkButton tone="main" to={setupOf(site.id)} label={t('setUp')} />
    </Empty>
  );
}
