import type { ComponentType } from 'preact';
import { Link, type Params } from '../../parts/router.tsx';
import { ConnectionTag, LostDevice } from '../device-state.tsx';
import { RegistersTab } from './registers-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import './device.css';
import { derTypeOf } from '#contract/der.ts';
import { getDebugData, getRawData, type RawData } from '#contract/gateway/data.ts';
import type { DerReading } from '#contract/gateway/reading.ts';
import { telemetryFields } from '#contract/telemetry.ts';
import { Button } from '../../parts/action.tsx';
import { Age } from '../../parts/age.tsx';
import { Code } from '../../parts/copy.tsx';
import { derWords } from '../../parts/der-words.ts';
import { download } from '../../parts/download.ts';
import { fieldValue, fieldWords } from '../../parts/field-words.ts';
import { Card, Empty, type Fact, Facts, PageHead } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/load.tsx';
import { number, texts } from '../../parts/text.ts';
import { type DeviceWithReadings, useDevice } from '../devices.ts';
import { gateway, toBrowserTime } from '../gateway-api.ts';
import { usePoll } from '../poll.ts';
import { linesOf } from './raw-lines.ts';

const t = texts({
  values: 'Values',
  raw: 'Raw data',
  registers: 'Registers',
  none: 'Device {sn} not found',
  noValues: 'No values yet.',
  lower: 'Lower limit per phase',
  upper: 'Upper limit per phase',
  took: 'Read time',
  ms: '{ms} ms',
  kept: 'Not sent',
  latest: 'Latest data from the device',
  noData: 'No data yet, or the device is not connected.',
  decode: 'Use “ohmstead decode” to decode a downloaded Modbus image or telegram.',
  frame: 'Last invalid frame',
  noFrame: 'No invalid frames since the gateway started.',
  size: 'Size',
  bytes: '{count} bytes',
  ascii: 'As text',
  hex: 'As hexadecimal',
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

export default function DevicePage({ params: { sn = '', tab } }: { params: Params }) {
  const none = (
    <Empty title={t('none', { sn })}>
      <Link to="/app/devices">{t('goToDevices')}</Link>
    </Empty>
  );
  return (
    <Loaded from={useDevice(sn)} empty={none}>
      {([device]) => device && <Found device={device} tab={tab ? `/${tab}` : ''} />}
    </Loaded>
  );
}

function Found({ device, tab }: { device: DeviceWithReadings; tab: string }) {
  const shownTabs = tabs.filter(({ isFor = () => true }) => isFor(device));
  const Content = shownTabs.find(({ path }) => path === tab)?.Content ?? ValuesTab;
  return (
    <>
      <PageHead title={device.product} says={device.sn}>
        <ConnectionTag isConnected={device.connected} />
        {device.connected && <Age ms={device.lastReadMs} />}
      </PageHead>
      <LostDevice device={device} />
      <nav class="tabs" aria-label={t('device')}>
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

function ValuesTab({ device: { ders, readings } }: { device: DeviceWithReadings }) {
  const cards = ders.map(({ type, enabled }) => {
    const reading = readings[type];
    return (
      <Card key={type} title={derWords(derTypeOf(type))} beside={<Age ms={reading?.timestamp} />}>
        <span class={`tag ${enabled ? 'good' : ''}`}>{t(enabled ? 'sentToPlatform' : 'kept')}</span>
        {reading ? <Facts of={factsOf(reading)} /> : <p class="says">{t('noValues')}</p>}
      </Card>
    );
  });
  return <div class="cards">{cards}</div>;
}

function factsOf(reading: DerReading): Fact[] {
  const type = derTypeOf(reading.type);
  const measured = telemetryFields.flatMap(({ name }): Fact[] => {
    const value = reading[name];
    return typeof value === 'number' ? [[fieldWords(name), fieldValue(name, value, type)]] : [];
  });
  const limit = (watts: unknown): string | undefined =>
    Array.isArray(watts) ? watts.map((each) => fieldValue('W', Number(each), type)).join('; ') : undefined;
  return [
    ...measured,
    [t('status'), typeof reading.status === 'string' ? reading.status : undefined],
    [t('lower'), limit(reading.lower_limit_W)],
    [t('upper'), limit(reading.upper_limit_W)],
    [t('took'), t('ms', { ms: number(reading.read_time_ms) })],
  ];
}

function RawTab({ device: { sn, type } }: { device: DeviceWithReadings }) {
  const loaded = usePoll(
    async (signal) => (await gateway.call(getRawData, { params: { sn }, signal })) ?? null, // a device without data
    [sn],
  );
  return (
    <>
      <Loaded from={loaded}>
        {(raw) => (raw ? <RawCard sn={sn} raw={raw} /> : <p class="says">{t('noData')}</p>)}
      </Loaded>
      {type === 'p1_uart' && <FailedFrameCard sn={sn} />}
    </>
  );
}

function RawCard({ sn, raw }: { sn: string; raw: RawData }) {
  const { ts } = raw.data;
  const save = (): void => download(`${sn}.json`, JSON.stringify(raw.data, undefined, 2), 'application/json');
  return (
    <Card title={t('latest')} beside={<Age ms={typeof ts === 'number' ? toBrowserTime(ts) : undefined} />}>
      <Code>{linesOf(raw).join('\n')}</Code>
      <Button label={t('download')} onClick={save} />
      <p class="says">{t('decode')}</p>
    </Card>
  );
}

const frameKinds = ['ASCII', 'HDLC', 'M-Bus'];

/** Shows the last frame of a meter that could not be decoded. */
function FailedFrameCard({ sn }: { sn: string }) {
  const debug = usePoll((signal) => gateway.call(getDebugData, { params: { sn }, signal }), [sn]);
  const at = debug.value?.last_failed_ts;
  return (
    <Card title={t('frame')} beside={at !== undefined && <Age ms={toBrowserTime(at)} />}>
      <Loaded from={debug}>
        {({ last_failed_type: kind = -1, last_failed_size = 0, last_failed_ascii = '', last_failed_hex }) =>
          last_failed_hex ? (
            <>
              <Facts
                of={[
                  [t('type'), frameKinds[kind]],
                  [t('size'), t('bytes', { count: number(last_failed_size) })],
                ]}
              />
              <h3>{t('ascii')}</h3>
              <Code>{last_failed_ascii}</Code>
              <h3>{t('hex')}</h3>
              <Code>{last_failed_hex}</Code>
            </>
          ) : (
            <p class="says">{t('noFrame')}</p>
          )
        }
      </Loaded>
    </Card>
  );
}
