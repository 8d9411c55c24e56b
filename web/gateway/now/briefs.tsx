import type { Status } from '#contract/gateway/status.ts';
import { Card } from '../../parts/card.tsx';
import { number } from '../../parts/format.ts';
import { Notice } from '../../parts/notice.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { DeviceTag, LostDevice } from '../device-state.tsx';
import type { HeardDevice } from '../heard-devices.ts';
import { productName, useProfiles } from '../profiles.ts';
import { arrivalOf } from './arrival.ts';

const t = texts({
  en: {
    held: 'Held by commands now: {names}.',
    control: 'See and let go',
    devices: 'Devices',
    all: 'All devices',
    platform: 'Platform',
    more: 'More',
    connected: 'Connected',
    away: 'Not connected',
    none: 'No broker is set: nothing leaves the house.',
    sent: 'What is measured is sent, and the platform confirms it. What it keeps of it, its page of this gateway tells.',
    waiting: 'Samples that wait to be sent: {count}. They are safe on disk.',
  },
  sv: {
    held: 'Styrs av kommandon nu: {names}.',
    control: 'Se och släpp',
    devices: 'Enheter',
    all: 'Alla enheter',
    platform: 'Plattform',
    more: 'Mer',
    connected: 'Ansluten',
    away: 'Inte ansluten',
    none: 'Ingen server är angiven: inget lämnar huset.',
    sent: 'Det som mäts skickas, och plattformen bekräftar det. Vad den sparar av det visar dess sida för denna gateway.',
    waiting: 'Mätvärden som väntar på att skickas: {count}. De ligger säkert på disken.',
  },
});

/** Somebody else than the devices themselves decides. */
export function HeldBrief({ control }: { control: Status['control'] }) {
  if (control.length === 0) return null;
  return (
    <Notice tone="warning">
      <span>
        {t('held', { names: control.map(({ sn }) => sn).join(', ') })} <Link to="/app/control">{t('control')}</Link>
      </span>
    </Notice>
  );
}

export function DevicesBrief({ devices }: { devices: readonly HeardDevice[] }) {
  const profiles = useProfiles();
  return (
    <Card title={t('devices')} beside={<Link to="/app/devices">{t('all')}</Link>}>
      <ul class="brief">
        {devices.map((device) => (
          <li key={device.sn}>
            <Link to={`/app/devices/${encodeURIComponent(device.sn)}`}>{productName(device, profiles.value)}</Link>
            <DeviceTag device={device} />
            <LostDevice device={device} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function UplinkBrief({ uplink }: { uplink: Status['uplink'] }) {
  const { connected, broker, waiting } = uplink;
  return (
    <Card title={t('platform')} beside={<Link to="/app/platform">{t('more')}</Link>}>
      {broker && <span class={`tag ${connected ? 'good' : 'problem'}`}>{t(connected ? 'connected' : 'away')}</span>}
      <p>{t(arrivalOf(uplink), { count: number(waiting) })}</p>
    </Card>
  );
}
