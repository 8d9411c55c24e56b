import { Age } from '../../parts/age.tsx';
import { PageHead } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/load.tsx';
import { Link, LinkButton } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { ConnectionTag, DerLine, LostDevice, NoDevices } from '../device-state.tsx';
import { type DeviceWithReadings, useDevices } from '../devices.ts';
import './devices.css';

const t = texts({
  list: 'Devices of this gateway',
});

export default function DevicesPage() {
  return (
    <>
      <PageHead title={t('devices')}>
        <LinkButton tone="main" to="/app/add" label={t('addDevice')} />
      </PageHead>
      <Loaded from={useDevices()} empty={<NoDevices />}>
        {(all) => (
          <ul class="device-cards" aria-label={t('list')}>
            {all.map((device) => (
              <li key={device.sn}>
                <DeviceCard device={device} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}

function DeviceCard({ device }: { device: DeviceWithReadings }) {
  return (
    <article class="card">
      <header>
        <h2>
          <Link to={`/app/devices/${encodeURIComponent(device.sn)}`}>{device.product}</Link>
        </h2>
        <ConnectionTag isConnected={device.connected} />
      </header>
      <p class="soft device-serial">
        <span>{device.sn}</span>
        {device.connected && <Age ms={device.lastReadMs} />}
      </p>
      <LostDevice device={device} />
      <ul class="der-lines">
        {device.ders.map(({ type }) => (
          <DerLine key={type} kind={type} reading={device.readings[type]} />
        ))}
      </ul>
    </article>
  );
}
