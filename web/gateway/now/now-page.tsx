import { getStatus, type Status } from '#contract/gateway/status.ts';
import { FlowCard } from '../../flow/flow-card.tsx';
import { flowsFrom } from '../../flow/flows.ts';
import { Card, Notice, PageHead } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { Link } from '../../parts/router.tsx';
import { number, texts } from '../../parts/text.ts';
import { PlanCard } from '../control/plan-card.tsx';
import { ConnectionTag, LostDevice, NoDevices } from '../device-state.tsx';
import { type DeviceWithReadings, useDevices } from '../devices.ts';
import { gateway } from '../gateway-api.ts';
import { measuredParts } from '../house-flows.ts';
import { usePoll } from '../poll.ts';
import { uplinkState } from '../uplink-words.ts';

const t = texts({
  held: 'Devices with active commands: {names}.',
  control: 'Go to control',
  more: 'More',
  none: 'No MQTT broker is configured. No data leaves the house.',
  sent: 'Measurements are sent, and the platform acknowledges them. The page of this gateway on the platform shows what is stored.',
  waiting: 'Samples waiting to be sent: {count}. They are stored on disk.',
});

export default function NowPage() {
  const status = usePoll((signal) => gateway.call(getStatus, { signal }));
  return (
    <>
      <PageHead title={t('now')} />
      <Loaded from={useDevices()} empty={<NoDevices />}>
        {(all) => (
          <>
            {status.value && <ActiveCommands control={status.value.control} />}
            <FlowCard flows={flowsFrom(measuredParts(all), now.value)} />
            <div class="cards">
              {status.value?.control.some(isPlanned) && <PlanCard />}
              <DevicesCard devices={all} />
              {status.value && <UplinkCard uplink={status.value.uplink} />}
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

const isPlanned = ({ held }: Status['control'][number]): boolean => held.some(({ origin }) => origin === 'plan');

function ActiveCommands({ control: all }: { control: Status['control'] }) {
  const control = all.filter((each) => !isPlanned(each));
  if (control.length === 0) return null;
  return (
    <Notice tone="warning">
      <span>
        {t('held', { names: control.map(({ sn }) => sn).join(', ') })} <Link to="/app/control">{t('control')}</Link>
      </span>
    </Notice>
  );
}

function DevicesCard({ devices }: { devices: readonly DeviceWithReadings[] }) {
  return (
    <Card title={t('devices')} beside={<Link to="/app/devices">{t('allDevices')}</Link>}>
      <ul class="brief">
        {devices.map((device) => (
          <li key={device.sn}>
            <Link to={`/app/devices/${encodeURIComponent(device.sn)}`}>{device.product}</Link>
            <ConnectionTag isConnected={device.connected} />
            <LostDevice device={device} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function UplinkCard({ uplink }: { uplink: Status['uplink'] }) {
  const { connected, broker, waiting } = uplink;
  return (
    <Card title={t('platform')} beside={<Link to="/app/platform">{t('more')}</Link>}>
      {broker && <ConnectionTag isConnected={connected} />}
      <p>{t(uplinkState(uplink), { count: number(waiting) })}</p>
    </Card>
  );
}
