import { factoryReset, reboot } from '#contract/gateway/system.ts';
import { Card } from '../../parts/card.tsx';
import { ConfirmButton } from '../../parts/dialog.tsx';
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
  const restart = async (route: typeof reboot | typeof factoryReset): Promise<void> => {
    await gateway.call(route);
    void watchRestart();
  };
  return (
    <Card title={t('title')} says={t('says')}>
      <div class="actions">
        <ConfirmButton
          label={t('restart')}
          tone="plain"
          title={t('restartSure')}
          submit={t('restart')}
          work={() => restart(reboot)}
        >
          <p>{t('restartSays')}</p>
        </ConfirmButton>
        <ConfirmButton
          label={t('reset')}
          isDisabled={!serial}
          title={t('resetSure')}
          submit={t('resetIt')}
          typed={serial ?? ''}
          work={() => restart(factoryReset)}
        >
          <p>{t('resetSays')}</p>
        </ConfirmButton>
      </div>
    </Card>
  );
}
