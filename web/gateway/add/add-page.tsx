import { PageHead } from '../../parts/page-head.tsx';
import { Link } from '../../parts/router.tsx';
import { DetectCard } from './detect-card.tsx';
import { ManualCard } from './manual-card.tsx';
import './add.css';
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
  title: ['Add device', 'Lägg till enhet'],
  says: [
    'The gateway connects to the device, identifies it and reads it once. The device is added only if all of this succeeds.',
    'Gatewayen ansluter till enheten, identifierar den och läser av den en gång. Enheten läggs bara till om allt lyckas.',
  ],
  added: ['{sn} was added.', '{sn} har lagts till.'],
  see: ['View values', 'Visa värden'],
  send: ['Choose what to send to the platform', 'Välj vad som skickas till plattformen'],
  p1Title: ['Add a P1 meter', 'Lägg till en P1-mätare'],
  p1Says: [
    'For the smart meter of the grid company. The gateway detects speed and protocol automatically.',
    'För elnätsbolagets smarta elmätare. Gatewayen känner av hastighet och protokoll automatiskt.',
  ],
  listen: ['Listen and add', 'Lyssna och lägg till'],
  listening: [
    'Listening. Meters send every 1 to 10 seconds, and several speeds are tried.',
    'Lyssnar. Elmätare sänder med 1–10 sekunders mellanrum, och flera hastigheter provas.',
  ],
});

export default function AddPage() {
  const added = useSignal<string | undefined>(undefined);
  const onAdded = (sn: string): void => {
    added.value = sn;
    scrollTo(0, 0);
  };
  const path = `/app/devices/${encodeURIComponent(added.value ?? '')}`;
  return (
    <>
      <PageHead title={t('title')} says={t('says')} />
      {added.value && (
        <Notice tone="good">
          <p>{t('added', { sn: added.value })}</p>
          <div class="actions">
            <Link to={path}>{t('see')}</Link>
            <Link to={`${path}/settings`}>{t('send')}</Link>
          </div>
        </Notice>
      )}
      <div class="cards">
        <DetectCard onAdded={onAdded} />
        <P1Card onAdded={onAdded} />
        <ManualCard onAdded={onAdded} />
      </div>
    </>
  );
}

/** Adds a meter by its serial port alone; the manual form has all parameters. */
function P1Card({ onAdded }: { onAdded(sn: string): void }) {
  const line = useSignal('');
  const listen = useAction(async () => {
    const serial_port = line.value.trim();
    const { sn } = await gateway.call(addDevice, { body: { type: 'p1_uart', ...(serial_port && { serial_port }) } });
    onAdded(sn);
  });
  return (
    <Card title={t('p1Title')} says={t('p1Says')}>
      <ActionForm does={listen} submit={t('listen')}>
        <Field {...parameterWords('serial_port')} value={line} />
        {listen.isBusy && <Notice>{t('listening')}</Notice>}
      </ActionForm>
    </Card>
  );
}
