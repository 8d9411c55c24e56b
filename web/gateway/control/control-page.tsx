import { useSignal } from '@preact/signals';
import { type CommandAction, commandPower, defaultLeaseS, maxLeaseS } from '#contract/command.ts';
import { confirmControl, curtail, liftCurtailment, releaseControl, setBattery } from '#contract/gateway/control.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { getStatus, type Status } from '#contract/gateway/status.ts';
import { ActionButton, ActionForm, ConfirmButton, useAction } from '../../parts/action.tsx';
import { actionWords, effectWords } from '../../parts/command-words.ts';
import { choicesOf, DecimalField, Segments, Select } from '../../parts/field.tsx';
import { Card, Empty, Failed, Notice, PageHead } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/load.tsx';
import { Link } from '../../parts/router.tsx';
import { countdown, inUnit, texts } from '../../parts/text.ts';
import { ConnectionTag, DerLine, LostDevice } from '../device-state.tsx';
import { type DeviceWithReadings, useDevices } from '../devices.ts';
import { gateway } from '../gateway-api.ts';
import { usePoll } from '../poll.ts';
import { PlanCard } from './plan-card.tsx';
import './control.css';

const t = texts({
  says: 'A command ends automatically after the chosen time, and the device returns to automatic. Commands from this page take priority over those from the platform.',
  noneSays: 'Batteries, solar inverters and bidirectional chargers can be controlled.',
  free: 'The device runs in automatic.',
  releasing: 'Returning to automatic.',
  fault: 'The device could not be returned to automatic: {fault} The gateway keeps trying.',
  refused: 'The last command from this page was not carried out: {reason}',
  unconfirmed: 'Control of this device is not confirmed: only one source documents how it is controlled.',
  confirm: 'Allow control',
  sure: 'Does the device respond correctly?',
  sureSays:
    'Control of this model has not been tested on hardware. Check the manual of the manufacturer, and start with a low power while you watch the device. You confirm this once for each device.',
  checked: 'I have checked that the device responds correctly',
  take: 'Taken over, no setpoint yet',
  local: 'Sent from the local network.',
  cloud: 'Sent by the platform.',
  plan: 'Set by the plan of the platform. A command from this page takes precedence over it.',
  ends: 'Ends in {time}',
  lift: 'Lift curtailment',
  battery: 'Control the battery',
  v2x_charger: 'Control the car',
  pv: 'Curtail the solar panels',
  power: 'Power (W)',
  maxPower: 'Maximum power (W)',
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
              <PlanCard />
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
  return <ActionButton does={release} tone={control.every(isPlanned) ? 'plain' : 'danger'} label={t('returnAll')} />;
}

const NoControllable = () => (
  <Empty title={t('noControllable')} says={t('noneSays')}>
    <Link to="/app/devices">{t('goToDevices')}</Link>
  </Empty>
);

type CardProps = {
  device: DeviceWithReadings;
  /** undefined until the status is loaded */
  control: Status['control'][number] | 'free' | undefined;
  /** why the last local command was not carried out */
  refused: string | undefined;
};

function DeviceControlCard({ device, control, refused }: CardProps) {
  const { sn, connected, ders, readings, control: trust } = device;
  const kinds = ders.map(({ type }) => type).filter((kind) => kind !== 'meter');
  const charged = kinds.find((kind) => kind === 'battery' || kind === 'v2x_charger');
  const release = useAction(() => gateway.call(releaseControl, { params: { sn } }));
  return (
    <Card title={device.product} subtitle={sn} beside={!connected && <ConnectionTag isConnected={device.connected} />}>
      <LostDevice device={device} />
      <ul class="der-lines">
        {kinds.map((kind) => (
          <DerLine key={kind} kind={kind} reading={readings[kind]} />
        ))}
      </ul>
      {control === 'free' && <p class="says">{t('free')}</p>}
      {control && control !== 'free' && (
        <div class="held">
          {control.held.map((lease) => (
            <LeaseLine key={lease.subject} sn={sn} lease={lease} charged={charged} />
          ))}
          {control.state === 'releasing' && <p>{t('releasing')}</p>}
          {control.fault && <Notice tone="problem">{t('fault', { fault: control.fault })}</Notice>}
          <ActionButton does={release} tone={isPlanned(control) ? 'plain' : 'danger'} label={t('returnToAutomatic')} />
        </div>
      )}
      {refused !== undefined && <Notice tone="problem">{t('refused', { reason: refused })}</Notice>}
      {trust === 'unconfirmed' ? (
        <Notice tone="warning">
          <p>{t('unconfirmed')}</p>
          <ConfirmButton
            label={t('confirm')}
            tone="plain"
            title={t('sure')}
            submit={t('checked')}
            work={() => gateway.call(confirmControl, { params: { sn }, body: {} })}
            says={t('sureSays')}
          />
        </Notice>
      ) : (
        <div class="commands">
          {charged && <CommandForm sn={sn} kind={charged} />}
          {kinds.includes('pv') && <CommandForm sn={sn} kind="pv" />}
        </div>
      )}
    </Card>
  );
}

type Lease = Status['control'][number]['held'][number];
function LeaseLine({ sn, lease, charged }: { sn: string; lease: Lease; charged: DerKind | undefined }) {
  const lift = useAction(() => gateway.call(liftCurtailment, { params: { sn } }));
  return (
    <div class="lease">
      <b>{sentenceOf(lease, charged)}</b>
      <p class="soft">{t(originOf(lease))}</p>
      <p class="number">{t('ends', { time: countdown(lease.ends_in_s * 1000) })}</p>
      {lease.subject === 'pv' && <ActionButton does={lift} tone="plain" label={t('lift')} />}
    </div>
  );
}

/** Returns whether nothing but the plan controls a device, which is its usual state. */
const isPlanned = ({ held, fault }: Status['control'][number]): boolean =>
  fault === undefined && held.every((lease) => originOf(lease) === 'plan');

const originOf = ({ origin }: Lease): 'local' | 'cloud' | 'plan' =>
  origin === 'local' || origin === 'plan' ? origin : 'cloud';

function sentenceOf({ subject, power_w }: Lease, charged: DerKind | undefined): string {
  if (subject === 'take') return t('take');
  if (subject === 'pv') return effectWords('solar', power_w);
  return effectWords(charged === 'v2x_charger' ? 'ev_charger_port' : 'battery', power_w);
}

const actions: readonly CommandAction[] = ['charge', 'discharge', 'idle'];
const durations = [60, 300, 900, 1800, maxLeaseS].map(String);

const durationWords = (seconds: string): string =>
  Number(seconds) < 3600 ? inUnit(Number(seconds) / 60, 'minute') : inUnit(Number(seconds) / 3600, 'hour');

function CommandForm({ sn, kind }: { sn: string; kind: Exclude<DerKind, 'meter'> }) {
  const isCurtailment = kind === 'pv';
  const action = useSignal<CommandAction>(isCurtailment ? 'curtail' : 'charge');
  const watts = useSignal(isCurtailment ? '' : '1000');
  const duration = useSignal(String(defaultLeaseS));
  const command = useAction(() => {
    const body = { power_w: commandPower(action.value, Number(watts.value)), ttl_s: Number(duration.value) };
    return gateway.call(isCurtailment ? curtail : setBattery, { params: { sn }, body });
  });
  return (
    <details class="command">
      <summary>{t(kind)}</summary>
      <ActionForm does={command} submit={isCurtailment ? actionWords('curtail') : t('sendCommand')}>
        {!isCurtailment && <Segments label={t('command')} value={action} choices={choicesOf(actions, actionWords)} />}
        {action.value !== 'idle' && (
          <DecimalField
            label={t(isCurtailment ? 'maxPower' : 'power')}
            min={isCurtailment ? 0 : 1}
            required
            value={watts}
          />
        )}
        <Select label={t('duration')} value={duration} choices={choicesOf(durations, durationWords)} />
      </ActionForm>
    </details>
  );
}
