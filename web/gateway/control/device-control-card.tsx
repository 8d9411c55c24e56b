import { releaseControl } from '#contract/gateway/control.ts';
import type { Status } from '#contract/gateway/status.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Failed, Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { DeviceTag, LostDevice } from '../device-state.tsx';
import { DerLine } from '../devices/der-line.tsx';
import { gateway } from '../gateway-api.ts';
import type { HeardDevice } from '../heard-devices.ts';
import { productName, useProfiles } from '../profiles.ts';
import { BatteryForm } from './battery-form.tsx';
import { CurtailForm } from './curtail-form.tsx';
import { LeaseLine } from './lease-line.tsx';

const t = texts({
  en: {
    free: 'It is in its own mode.',
    releasing: 'It is being let go.',
    fault: 'It could not be let go yet: {fault} This is tried on and on.',
    refused: 'The last command from here was not carried out: {reason}',
    letGo: 'Let go of it',
  },
  sv: {
    free: 'Den är i sitt eget läge.',
    releasing: 'Den håller på att släppas.',
    fault: 'Den kunde inte släppas ännu: {fault} Nya försök görs hela tiden.',
    refused: 'Det senaste kommandot härifrån utfördes inte: {reason}',
    letGo: 'Släpp den',
  },
});

type CardProps = {
  device: HeardDevice;
  /** undefined until it is known */
  control: Status['control'][number] | 'free' | undefined;
  /** why the last command from here was not carried out */
  refused: string | undefined;
};

/** One device: what it does, what is held of it, and what may be asked. */
export function DeviceControlCard({ device, control, refused }: CardProps) {
  const profiles = useProfiles();
  const { sn, connected, ders, readings } = device;
  const kinds = ders.map(({ type }) => type).filter((kind) => kind !== 'meter');
  const charged = kinds.find((kind) => kind === 'battery' || kind === 'v2x_charger');
  const letGo = useAction(() => gateway.call(releaseControl, { params: { sn } }));
  return (
    <Card
      title={productName(device, profiles.value)}
      subtitle={sn}
      beside={!connected && <DeviceTag device={device} />}
    >
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
          <ActionButton does={letGo} tone="danger">
            {t('letGo')}
          </ActionButton>
          {letGo.problem !== undefined && <Failed problem={letGo.problem} />}
        </div>
      )}
      {refused !== undefined && <Notice tone="problem">{t('refused', { reason: refused })}</Notice>}
      <div class="commands">
        {charged && <BatteryForm sn={sn} kind={charged} />}
        {kinds.includes('pv') && <CurtailForm sn={sn} />}
      </div>
    </Card>
  );
}
