import { derTypeOf } from '#contract/der.ts';
import { type DerEntry, removeDevice, setDerFlags } from '#contract/gateway/devices.ts';
import { useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { derWords } from '../../parts/der-words.ts';
import { Confirm, DangerButton } from '../../parts/dialog.tsx';
import { Switch } from '../../parts/field.tsx';
import { Failed } from '../../parts/notice.tsx';
import { go } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import type { HeardDevice } from '../heard-devices.ts';
import { ConnectionCard } from './connection-card.tsx';
import { RatingsForm } from './ratings-form.tsx';

const t = texts({
  en: {
    sent: 'Sent to the platform',
    says: 'What is off is still read and shown here, and stays in the house.',
    remove: 'Remove the device',
    removeSays:
      'The gateway stops reading it and forgets how it is connected. What the platform has stored stays there.',
    sure: 'Remove {sn}?',
    yes: 'Remove it',
  },
  sv: {
    sent: 'Skickas till plattformen',
    says: 'Det som är avstängt läses och visas ändå här, men stannar i huset.',
    remove: 'Ta bort enheten',
    removeSays: 'Gatewayen slutar läsa den och glömmer hur den är ansluten. Det plattformen har sparat finns kvar där.',
    sure: 'Ta bort {sn}?',
    yes: 'Ta bort den',
  },
});

export function SettingsTab({ device }: { device: HeardDevice }) {
  return (
    <div class="cards">
      <Card title={t('sent')}>
        <p class="says">{t('says')}</p>
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
        label={derWords(derTypeOf(type)!)}
        isOn={enabled}
        isDisabled={set.isBusy}
        onChange={() => void set.run()}
      />
      {set.problem !== undefined && <Failed problem={set.problem} />}
    </>
  );
}

function RemoveCard({ sn }: { sn: string }) {
  const remove = async (): Promise<void> => {
    await gateway.call(removeDevice, { params: { sn } });
    go('/app/devices');
  };
  return (
    <Card title={t('remove')}>
      <p class="says">{t('removeSays')}</p>
      <div class="actions">
        <DangerButton label={t('remove')}>
          {(close) => (
            <Confirm title={t('sure', { sn })} submit={t('yes')} work={remove} onClose={close}>
              <p>{t('removeSays')}</p>
            </Confirm>
          )}
        </DangerButton>
      </div>
    </Card>
  );
}
