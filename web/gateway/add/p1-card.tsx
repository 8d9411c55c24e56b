import { useSignal } from '@preact/signals';
import { addDevice } from '#contract/gateway/devices.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Field } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { parameterWords } from '../parameter-words.ts';

const t = texts({
  en: {
    title: 'Listen to the P1 port',
    says: 'For the meter of the grid company. The gateway finds the speed and the kind of the meter by itself.',
    listen: 'Listen and add',
    listening: 'Listening. Meters speak every 1 to 10 seconds, and several speeds are tried.',
  },
  sv: {
    title: 'Lyssna på P1-porten',
    says: 'För elnätsföretagets mätare. Gatewayen hittar själv hastigheten och mätarens slag.',
    listen: 'Lyssna och lägg till',
    listening: 'Lyssnar. Mätare talar var 1 till 10 sekund, och flera hastigheter prövas.',
  },
});

/** A meter needs no more than a line; whatever else is known goes into the form by hand. */
export function P1Card({ onAdded }: { onAdded(sn: string): void }) {
  const line = useSignal('');
  const words = parameterWords('serial_port');
  const listen = useAction(async () => {
    const serial_port = line.value.trim();
    const { sn } = await gateway.call(addDevice, { body: { type: 'p1_uart', ...(serial_port && { serial_port }) } });
    onAdded(sn);
  });
  return (
    <Card title={t('title')}>
      <p class="says">{t('says')}</p>
      <ActionForm does={listen} submit={t('listen')}>
        <Field label={words.label} says={words.says ?? ''} value={line} />
        {listen.isBusy && <Notice>{t('listening')}</Notice>}
      </ActionForm>
    </Card>
  );
}
