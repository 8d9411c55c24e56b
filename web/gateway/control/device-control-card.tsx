import { useSignal } from '@preact/signals';
import { confirmControl, releaseControl } from '#contract/gateway/control.ts';
import type { Status } from '#contract/gateway/status.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/dialog.tsx';
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
    fault: 'It could not be released yet: {fault} The gateway keeps trying.',
    refused: 'The last command from here was not carried out: {reason}',
    letGo: 'Let go of it',
    unconfirmed: 'Control of this device is not confirmed: how it is controlled is known from one source only.',
    confirm: 'Allow control',
    sure: 'Does this device obey?',
    sureSays:
      'Its control was not tried on hardware. Compare with the manual of the maker, and begin with a small power while you watch the device. This is asked once for each device.',
    checked: 'I have checked that this device obeys',
  },
  sv: {
    free: 'Den är i sitt eget läge.',
    releasing: 'Den håller på att släppas.',
    fault: 'Den kunde inte släppas ännu: {fault} Nya försök görs hela tiden.',
    refused: 'Det senaste kommandot härifrån utfördes inte: {reason}',
    letGo: 'Släpp den',
    unconfirmed: 'Styrningen av enheten är inte bekräftad: hur den styrs är känt från en enda källa.',
    confirm: 'Tillåt styrning',
    sure: 'Lyder enheten?',
    sureSays:
      'Styrningen har inte provats på riktig utrustning. Jämför med tillverkarens manual och börja med låg effekt medan du håller ett öga på enheten. Frågan ställs en gång per enhet.',
    checked: 'Jag har kontrollerat att enheten lyder',
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
  const { sn, connected, ders, readings, control: trust } = device;
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
      {trust === 'unconfirmed' ? (
        <ConfirmControl sn={sn} />
      ) : (
        <div class="commands">
          {charged && <BatteryForm sn={sn} kind={charged} />}
          {kinds.includes('pv') && <CurtailForm sn={sn} />}
        </div>
      )}
    </Card>
  );
}

/** Asks a person to vouch for a device whose control is not proven; commands come after that. */
function ConfirmControl({ sn }: { sn: string }) {
  const isAsking = useSignal(false);
  const confirm = async (): Promise<void> => {
    await gateway.call(confirmControl, { params: { sn }, body: {} });
  };
  return (
    <Notice tone="warning">
      <p>{t('unconfirmed')}</p>
      <button type="button" onClick={() => (isAsking.value = true)}>
        {t('confirm')}
      </button>
      {isAsking.value && (
        <Confirm title={t('sure')} submit={t('checked')} work={confirm} onClose={() => (isAsking.value = false)}>
          <p>{t('sureSays')}</p>
        </Confirm>
      )}
    </Notice>
  );
}
