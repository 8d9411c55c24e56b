import { releaseControl } from '#contract/gateway/control.ts';
import { getStatus, type Status } from '#contract/gateway/status.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Loaded } from '../../parts/load.tsx';
import { Empty, Failed } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { useDevices } from '../heard-devices.ts';
import { usePoll } from '../poll.ts';
import { DeviceControlCard } from './device-control-card.tsx';
import './control.css';

const t = texts({
  en: {
    title: 'Control',
    says: 'A command holds for a time and ends by itself; then the device goes back to its own mode. A command given here comes before those of the platform.',
    letGo: 'Let go of everything',
    none: 'No device here can be controlled',
    noneSays: 'Batteries, panels and two-way chargers can be.',
    devices: 'To the devices',
  },
  sv: {
    title: 'Styrning',
    says: 'Ett kommando gäller en tid och upphör av sig självt; sedan går enheten tillbaka till sitt eget läge. Ett kommando härifrån går före plattformens.',
    letGo: 'Släpp allt',
    none: 'Ingen enhet här går att styra',
    noneSays: 'Batterier, solpaneler och dubbelriktade laddare går att styra.',
    devices: 'Till enheterna',
  },
});

export default function ControlPage() {
  const devices = useDevices();
  const status = usePoll((signal) => gateway.call(getStatus, { signal }));
  const control = status.value?.control;
  return (
    <>
      <PageHead title={t('title')} says={t('says')}>
        {control && control.length > 0 && <LetGoOfAll control={control} />}
      </PageHead>
      {status.problem !== undefined && devices.problem === undefined && (
        <Failed problem={status.problem} again={status.again} />
      )}
      <Loaded from={devices}>
        {(all) => {
          const able = all.filter(({ ders }) => ders.some(({ type }) => type !== 'meter'));
          if (able.length === 0) return <Nothing />;
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

/** Each is asked whatever the others say; what failed is told. */
function LetGoOfAll({ control }: { control: Status['control'] }) {
  const letGo = useAction(async () => {
    const asked = await Promise.allSettled(control.map(({ sn }) => gateway.call(releaseControl, { params: { sn } })));
    const failed = asked.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  });
  return (
    <>
      <ActionButton does={letGo} tone="danger">
        {t('letGo')}
      </ActionButton>
      {letGo.problem !== undefined && <Failed problem={letGo.problem} />}
    </>
  );
}

const Nothing = () => (
  <Empty title={t('none')}>
    <p class="says">{t('noneSays')}</p>
    <Link to="/app/devices">{t('devices')}</Link>
  </Empty>
);
