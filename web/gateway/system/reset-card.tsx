import { useSignal } from '@preact/signals';
import { factoryReset, reboot } from '#contract/gateway/system.ts';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { watchRestart } from '../restart.tsx';

const t = texts({
  title: ['Restart and reset', 'Omstart och återställning'],
  says: [
    'Restart the gateway if it behaves unexpectedly. Reset it before you give it to someone else.',
    'Starta om gatewayen om den beter sig konstigt. Återställ den innan du lämnar den vidare.',
  ],
  restart: ['Restart', 'Starta om'],
  restartSure: ['Restart the gateway?', 'Starta om gatewayen?'],
  restartSays: [
    'The gateway restarts in five seconds. Controlled devices return to automatic first, and unsent measurements are kept.',
    'Gatewayen startar om efter fem sekunder. Enheter som styrs återgår först till automatläge, och osända mätvärden finns kvar.',
  ],
  reset: ['Factory reset', 'Fabriksåterställ'],
  resetSure: ['Reset to factory settings?', 'Återställa till fabriksinställningar?'],
  resetSays: [
    'Devices, MQTT brokers, Wi-Fi and unsent measurements are deleted. The key, the serial number and the owner on the platform do not change.',
    'Enheter, MQTT-brokrar, wifi och osända mätvärden raderas. Nyckeln, serienumret och ägaren på plattformen ändras inte.',
  ],
  resetIt: ['Reset and restart', 'Återställ och starta om'],
});

export function ResetCard({ serial }: { serial: string | undefined }) {
  const asking = useSignal<'restart' | 'reset' | undefined>(undefined);
  const close = (): void => {
    asking.value = undefined;
  };
  const restart = async (): Promise<void> => {
    await gateway.call(reboot);
    void watchRestart();
  };
  const reset = async (): Promise<void> => {
    await gateway.call(factoryReset);
    void watchRestart();
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
