import { derTypeOf } from '#contract/der.ts';
import { connectionTypes, type Parameter } from '#contract/gateway/connections.ts';
import { type DerEntry, removeDevice, setDerFlags } from '#contract/gateway/devices.ts';
import { useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { derWords } from '../../parts/der-words.ts';
import { ConfirmButton } from '../../parts/dialog.tsx';
import { Switch } from '../../parts/field.tsx';
import { Failed } from '../../parts/notice.tsx';
import { go } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import type { DeviceWithReadings } from '../devices.ts';
import { type Fact, Facts } from '../facts.tsx';
import { gateway } from '../gateway-api.ts';
import { connectionWords, parameterWords, valueWords } from '../parameter-words.ts';
import { RatingsForm } from './ratings-form.tsx';

const t = texts({
  sent: ['Sent to the platform', 'Skickas till plattformen'],
  says: [
    'Values that are switched off are still read and shown here, but not sent.',
    'Värden som är avstängda läses och visas här, men skickas inte.',
  ],
  remove: ['Remove device', 'Ta bort enheten'],
  removeSays: [
    'The gateway stops reading the device and deletes its connection settings. Data on the platform is kept.',
    'Gatewayen slutar läsa av enheten och tar bort anslutningsinställningarna. Data på plattformen finns kvar.',
  ],
  sure: ['Remove {sn}?', 'Ta bort {sn}?'],
  yes: ['Remove', 'Ta bort'],
  connection: ['Connection', 'Anslutning'],
  how: ['Type', 'Typ'],
  file: ['Stored in', 'Sparas i'],
});

export function SettingsTab({ device }: { device: DeviceWithReadings }) {
  return (
    <div class="cards">
      <Card title={t('sent')} says={t('says')}>
        {device.ders.map((der) => (
          <SentSwitch key={der.type} sn={device.sn} der={der} />
        ))}
      </Card>
      <RatingsForm key={device.sn} sn={device.sn} ders={device.ders} />
      <ConnectionCard device={device} />
      <RemoveCard sn={device.sn} />
    </div>
  );
}

function SentSwitch({ sn, der: { type, enabled } }: { sn: string; der: DerEntry }) {
  const set = useAction(() =>
    gateway.call(setDerFlags, { params: { sn }, body: { ders: [{ type, enabled: !enabled }] } }),
  );
  return (
    <>
      <Switch
        label={derWords(derTypeOf(type))}
        isOn={enabled}
        isDisabled={set.isBusy}
        onChange={() => void set.run()}
      />
      <Failed problem={set.problem} />
    </>
  );
}

function RemoveCard({ sn }: { sn: string }) {
  const remove = async (): Promise<void> => {
    await gateway.call(removeDevice, { params: { sn } });
    go('/app/devices');
  };
  return (
    <Card title={t('remove')} says={t('removeSays')}>
      <div class="actions">
        <ConfirmButton label={t('remove')} title={t('sure', { sn })} submit={t('yes')} work={remove}>
          <p>{t('removeSays')}</p>
        </ConfirmButton>
      </div>
    </Card>
  );
}

/** Shows how the device is connected; the gateway does not return keys and passwords. */
function ConnectionCard({ device }: { device: DeviceWithReadings }) {
  const parameters: readonly Parameter[] = connectionTypes[device.type].parameters;
  const facts = parameters.flatMap(({ name }): Fact[] => {
    const value = device[name];
    const isShown = typeof value === 'string' || typeof value === 'number';
    return isShown ? [[parameterWords(name).label, valueWords(name, value)]] : [];
  });
  return (
    <Card title={t('connection')}>
      <Facts of={[[t('how'), connectionWords(device.type)], ...facts, [t('file'), device.path]]} />
    </Card>
  );
}
