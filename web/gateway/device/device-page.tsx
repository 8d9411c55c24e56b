import type { ComponentType } from 'preact';
import { Age } from '../../parts/age.tsx';
import { Loaded } from '../../parts/load.tsx';
import { Empty } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Link, type Params } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { ConnectionTag, LostDevice } from '../device-state.tsx';
import { type DeviceWithReadings, productName, useDevice, useProfiles } from '../devices.ts';
import { RawTab } from './raw-tab.tsx';
import { RegistersTab } from './registers-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { ValuesTab } from './values-tab.tsx';
import './device.css';

const t = texts({
  values: ['Values', 'Värden'],
  settings: ['Settings', 'Inställningar'],
  raw: ['Raw data', 'Rådata'],
  registers: ['Registers', 'Register'],
  parts: ['Device', 'Enhet'],
  none: ['Device {sn} not found', 'Enheten {sn} finns inte'],
  back: ['Go to devices', 'Till enheterna'],
});

type Tab = {
  name: Parameters<typeof t>[0];
  path: string;
  Content: ComponentType<{ device: DeviceWithReadings }>;
  isFor?(device: DeviceWithReadings): boolean;
};

const tabs: readonly Tab[] = [
  { name: 'values', path: '', Content: ValuesTab },
  { name: 'settings', path: '/settings', Content: SettingsTab },
  { name: 'raw', path: '/raw', Content: RawTab },
  { name: 'registers', path: '/registers', Content: RegistersTab, isFor: ({ type }) => type.startsWith('modbus') },
];

export default function DevicePage({ params }: { params: Params }) {
  const { sn = '' } = params;
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

function Found({ device, tab }: { device: DeviceWithReadings; tab: string }) {
  const profiles = useProfiles();
  const shownTabs = tabs.filter(({ isFor = () => true }) => isFor(device));
  const Content = shownTabs.find(({ path }) => path === tab)?.Content ?? ValuesTab;
  return (
    <>
      <PageHead title={productName(device, profiles.value)} says={device.sn}>
        <ConnectionTag isConnected={device.connected} />
        {device.connected && <Age ms={device.lastReadMs} />}
      </PageHead>
      <LostDevice device={device} />
      <nav class="tabs" aria-label={t('parts')}>
        {shownTabs.map(({ name, path }) => (
          <Link key={name} to={`/app/devices/${encodeURIComponent(device.sn)}${path}`}>
            {t(name)}
          </Link>
        ))}
      </nav>
      <Content device={device} />
    </>
  );
}
