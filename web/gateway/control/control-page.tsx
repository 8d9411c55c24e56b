import { releaseControl } from '#contract/gateway/control.ts';
import { getStatus, type Status } from '#contract/gateway/status.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Empty, Failed, PageHead } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/load.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { useDevices } from '../devices.ts';
import { gateway } from '../gateway-api.ts';
import { usePoll } from '../poll.ts';
import { DeviceControlCard } from './device-control-card.tsx';
import './control.css';

const t = texts({
  says: [
    'A command ends automatically after the chosen time, and the device returns to automatic. Commands from this page take priority over those from the platform.',
    'Ett kommando upphör automatiskt efter vald tid, och enheten återgår till automatläge. Kommandon härifrån går före plattformens.',
  ],
  noneSays: [
    'Batteries, solar inverters and bidirectional chargers can be controlled.',
    'Batterier, solväxelriktare och dubbelriktade laddboxar kan styras.',
  ],
  devices: ['Go to devices', 'Till enheterna'],
});

export default function ControlPage() {
  const devices = useDevices();
  const status = usePoll((signal) => gateway.call(getStatus, { signal }));
  const control = status.value?.control;
  return (
    <>
      <PageHead title={t('control')} says={t('says')}>
        {control && control.length > 0 && <ReleaseAll control={control} />}
      </PageHead>
      {status.problem !== undefined && devices.problem === undefined && (
        <Failed problem={status.problem} again={status.again} />
      )}
      <Loaded from={devices}>
        {(all) => {
          const able = all.filter(({ ders }) => ders.some(({ type }) => type !== 'meter'));
          if (able.length === 0) return <NoControllable />;
          return (
            <div class="cards">
              {able.map((device) => (
                <DeviceControlCard
                  key={device.sn}
                  device={device}
                  control={control && (control.find(({ sn }) => sn === device.sn) ?? 'free')}
                  refused={status.value?.refused.find(({ sn }) => sn === device.sn)?.message}
                />
              ))}
            </div>
          );
        }}
      </Loaded>
    </>
  );
}

/** Releases every device, even when some fail, and shows the first failure. */
function ReleaseAll({ control }: { control: Status['control'] }) {
  const release = useAction(async () => {
    const asked = await Promise.allSettled(control.map(({ sn }) => gateway.call(releaseControl, { params: { sn } })));
    const failed = asked.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  });
  return <ActionButton does={release} tone="danger" label={t('returnAll')} />;
}

const NoControllable = () => (
  <Empty title={t('noControllable')} says={t('noneSays')}>
    <Link to="/app/devices">{t('devices')}</Link>
  </Empty>
);
