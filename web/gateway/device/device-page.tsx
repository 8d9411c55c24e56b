import type { ComponentType } from 'preact';
import { Age } from '../../parts/age.tsx';
import { Loaded } from '../../parts/load.tsx';
import { Empty } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Link, type Params } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { DeviceTag, LostDevice } from '../device-state.tsx';
import { type HeardDevice, useDevice } from '../heard-devices.ts';
import { productName, useProfiles } from '../profiles.ts';
import { RawTab } from './raw-tab.tsx';
import { RegistersTab } from './registers-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { ValuesTab } from './values-tab.tsx';
import './device.css';

const t = texts({
  en: {
    values: 'Values',
    settings: 'Settings',
    raw: 'Raw data',
    registers: 'Registers',
    parts: 'About this device',
    none: 'There is no device {sn} at this gateway',
    back: 'To the devices',
  },
  sv: {
    values: 'Värden',
    settings: 'Inställningar',
    raw: 'Rådata',
    registers: 'Register',
    parts: 'Om enheten',
    none: 'Gatewayen har ingen enhet {sn}',
    back: 'Till enheterna',
  },
});

type Tab = {
  name: Parameters<typeof t>[0];
  path: string;
  Shown: ComponentType<{ device: HeardDevice }>;
  isOf?(device: HeardDevice): boolean;
};

const tabs: readonly Tab[] = [
  { name: 'values', path: '', Shown: ValuesTab },
  { name: 'settings', path: '/settings', Shown: SettingsTab },
  { name: 'raw', path: '/raw', Shown: RawTab },
  { name: 'registers', path: '/registers', Shown: RegistersTab, isOf: ({ type }) => type.startsWith('modbus') },
];

export default function DevicePage({ params }: { params: Params }) {
  const sn = params.sn!;
  const device = useDevice(sn);
  return (
    <Loaded from={device}>
      {(found) =>
        found ? (
          <Found device={found} tab={params.tab ? `/${params.tab}` : ''} />
        ) : (
          <Empty title={t('none', { sn })}>
            <Link to="/app/devices">{t('back')}</Link>
          </Empty>
        )
      }
    </Loaded>
  );
}

function Found({ device, tab }: { device: HeardDevice; tab: string }) {
  const profiles = useProfiles();
  const itsTabs = tabs.filter(({ isOf = () => true }) => isOf(device));
  const { Shown } = itsTabs.find(({ path }) => path === tab) ?? itsTabs[0]!;
  return (
    <>
      <PageHead title={productName(device, profiles.value)} says={device.sn}>
        <DeviceTag device={device} />
        {device.connected && <Age ms={device.heardMs} />}
      </PageHead>
      <LostDevice device={device} />
      <nav class="tabs" aria-label={t('parts')}>
        {itsTabs.map(({ name, path }) => (
          <Link key={name} to={`/app/devices/${encodeURIComponent(device.sn)}${path}`}>
            {t(name)}
          </Link>
        ))}
      </nav>
      <Shown device={device} />
    </>
  );
}
