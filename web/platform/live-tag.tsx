import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Age, isStale } from '../parts/age.tsx';
import { useLoad } from '../parts/load.tsx';
import { texts } from '../parts/text.ts';
import { lastSeenMs } from './devices/quality.ts';
import type { LiveProps } from './live.ts';

const t = texts({
  last: 'Last values',
});

/** Says "Live" while readings arrive, otherwise how old the newest one is. */
export function LiveTag({ site, live }: LiveProps) {
  if (live.connection.value === 'opening') return null;
  const times = site.devices.flatMap((device) => lastSeenMs(device, live.readings.value) ?? []);
  const newest = times.length > 0 ? Math.max(...times) : undefined;
  if (isStale(newest)) {
    return (
      <span class="tag warning">
        {t('last')}: <Age ms={newest} />
      </span>
    );
  }
  return live.connection.value === 'open' ? <span class="tag good">{t('live')}</span> : null;
}

/** Names the devices that are not sending. The code is loaded when there are some, as the home page must be light. */
export function SilentNotice({ site, live }: LiveProps) {
  const isOpen = live.connection.value !== 'opening';
  const isSilent = isOpen && site.devices.some((device) => isStale(lastSeenMs(device, live.readings.value)));
  const { value } = useLoad(async () => (isSilent ? import('./silent-devices.tsx') : undefined), [isSilent]);
  return value && isSilent ? <value.SilentDevices site={site} live={live} /> : null;
}

/** Leads from a site without devices to its set-up. */
export function NoDevices({ site }: { site: SiteDetails }) {
  const { value } = useLoad(() => import('./silent-devices.tsx'), []);
  return value ? <value.EmptySite site={site} /> : null;
}
