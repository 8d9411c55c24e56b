import { type FaultKind, playFault, playHome, type Simulation } from '#contract/simulation.ts';
import { Button } from '../../parts/action.tsx';
import { editable } from '../../parts/bound-value.ts';
import { BareSelect, choicesOf, Switch } from '../../parts/field.tsx';
import { Card, Failed } from '../../parts/layout.tsx';
import { power, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { Slider, useSimulationChange } from './controls.tsx';

const t = texts({
  title: 'house|Home',
  extra: 'Additional load',
  kettle: 'Kettle',
  oven: 'Oven',
  sauna: 'Sauna',
  off: 'Turn all off',
  carHome: 'Car plugged in',
  carOwn: 'Car follows its schedule',
  charge: 'Car charging power',
  faults: 'Simulate faults',
  faultsSays:
    'See how the gateway handles communication faults. It never shows a wrong value; missing data is shown as missing.',
  none: 'No fault',
  silence: 'No response',
  late: 'Response two seconds late',
  'wrong-unit': 'Wrong unit ID',
  'wrong-transaction': 'Wrong transaction ID',
  exception: 'Exception response',
  'cut-frame': 'Truncated frame',
  'bit-flip': 'Single-bit error',
  garbage: 'Random data',
  close: 'Connection closed',
  flood: 'Repeated responses',
  on: 'via {wire}',
  modbus_tcp: 'Modbus TCP',
  p1_uart: 'P1 port',
  mqtt: 'MQTT',
});

const appliances = [
  { name: 'kettle', watts: 2000 },
  { name: 'oven', watts: 3500 },
  { name: 'sauna', watts: 9000 },
] as const;
const maxLoadW = 20_000;
const maxChargeW = 11_000;

type Change = { extra_load_w?: number; connected?: boolean | null; charge_w?: number | null };

export function HomeCard({ home }: { home: Simulation['home'] }) {
  const { chosen, problem, choose } = useSimulationChange(({ extra_load_w, ...car }: Change) =>
    api().call(playHome, { body: { ...(extra_load_w !== undefined && { extra_load_w }), car } }),
  );
  const { car } = home;
  const extra = editable(chosen.extra_load_w ?? home.extra_load_w, (extra_load_w) => choose({ extra_load_w }));
  const charge = editable(chosen.charge_w ?? car.charge_w ?? 0, (charge_w) => choose({ charge_w }));
  const followsSchedule = editable(!car.connected_played, (isOn) => choose({ connected: isOn ? null : car.connected }));
  return (
    <Card title={t('title')}>
      <Slider label={t('extra')} value={extra} max={maxLoadW} step={100} words={power} />
      <div class="actions">
        {appliances.map(({ name, watts }) => (
          <Button
            key={name}
            label={`${t(name)} +${power(watts)}`}
            onClick={() => (extra.value = Math.min(maxLoadW, extra.value + watts))}
          />
        ))}
        <Button label={t('off')} onClick={() => (extra.value = 0)} />
      </div>
      <div class="actions">
        <Switch label={t('carHome')} value={editable(car.connected, (connected) => choose({ connected }))} />
        <Switch label={t('carOwn')} value={followsSchedule} />
      </div>
      <Slider label={t('charge')} value={charge} max={maxChargeW} step={100} words={power} />
      <Failed problem={problem} />
    </Card>
  );
}

type Device = Simulation['devices'][number];

export function FaultsCard({ devices }: { devices: readonly Device[] }) {
  return (
    <Card title={t('faults')} class="wide" says={t('faultsSays')}>
      <ul class="faults">
        {devices.map((device) => (
          <li key={device.sn}>
            <FaultChoice device={device} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function FaultChoice({ device }: { device: Device }) {
  const { sn, name, connection, fault, faults } = device;
  const { chosen, problem, choose } = useSimulationChange((body: { fault: FaultKind | null }) =>
    api().call(playFault, { params: { sn }, body }),
  );
  const shown = chosen.fault === undefined ? fault : chosen.fault;
  return (
    <>
      <span>
        <b>{name}</b> <span class="says">{t('on', { wire: t.orName(connection) })}</span>
      </span>
      <BareSelect
        value={editable<FaultKind | 'none'>(shown ?? 'none', (kind) =>
          choose({ fault: kind === 'none' ? null : kind }),
        )}
        choices={choicesOf<FaultKind | 'none'>(['none', ...faults], t)}
        input={{ 'aria-label': name, class: shown ? 'broken' : undefined }}
      />
      <Failed problem={problem} />
    </>
  );
}
