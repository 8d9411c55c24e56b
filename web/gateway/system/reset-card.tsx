import { useSignal } from '@preact/signals';
import { factoryReset, reboot } from '#contract/gateway/system.ts';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { followRestart } from '../restart.tsx';

const t = texts({
  en: {
    title: 'Restart and reset',
    says: 'A restart helps when the gateway behaves oddly; a reset is for giving it to somebody else.',
    restart: 'Restart',
    restartSure: 'Restart the gateway?',
    restartSays: 'In five seconds. Devices that are held are let go first; what was measured and not sent yet stays.',
    reset: 'Factory reset',
    resetSure: 'Forget everything?',
    resetSays:
      'Devices, brokers, Wi-Fi and what was not sent yet are forgotten. The key and the serial number stay, and so does the owner on the platform.',
    resetIt: 'Forget everything and restart',
  },
  sv: {
    title: 'Omstart och återställning',
    says: 'En omstart hjälper när gatewayen beter sig underligt; en återställning görs när någon annan ska få den.',
    restart: 'Starta om',
    restartSure: 'Starta om gatewayen?',
    restartSays: 'Om fem sekunder. Enheter som styrs släpps först; det som mätts men inte skickats finns kvar.',
    reset: 'Fabriksåterställ',
    resetSure: 'Glömma allt?',
    resetSays:
      'Enheter, servrar, wifi och det som inte skickats ännu glöms. Nyckeln och serienumret finns kvar, och ägaren på plattformen likaså.',
    resetIt: 'Glöm allt och starta om',
  },
});

export function ResetCard({ serial }: { serial: string | undefined }) {
  const asking = useSignal<'restart' | 'reset' | undefined>(undefined);
  const close = (): void => {
    asking.value = undefined;
  };
  const restart = async (): Promise<void> => {
    await gateway.call(reboot);
    void followRestart();
  };
  const reset = async (): Promise<void> => {
    await gateway.call(factoryReset);
    void followRestart();
  };
  return (
    <Card title={t('title')}>
      <p class="says">{t('says')}</p>
      <div class="actions">
        <button type="button" onClick={() => (asking.value = 'restart')}>
          {t('restart')}
        </button>
        <button type="button" class="danger" disabled={!serial} onClick={() => (asking.value = 'reset')}>
          {t('reset')}
        </button>
      </div>
      {asking.value === 'restart' && (
        <Confirm title={t('restartSure')} submit={t('restart')} work={restart} onClose={close}>
          <p>{t('restartSays')}</p>
        </Confirm>
      )}
      {asking.value === 'reset' && serial && (
        <Confirm title={t('resetSure')} submit={t('resetIt')} typed={serial} work={reset} onClose={close}>
          <p>{t('resetSays')}</p>
        </Confirm>
      )}
    </Card>
  );
}
