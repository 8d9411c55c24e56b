import { useSignal } from '@preact/signals';
import { checkPort } from '#contract/gateway/network.ts';
import type { ReplyOf } from '#contract/route.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Field } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';

const t = texts({
  title: ['Test a connection', 'Testa en anslutning'],
  says: [
    'Checks whether the gateway can reach a device on the local network. Modbus uses port 502, MQTT port 1883.',
    'Kontrollerar om gatewayen når en enhet i det lokala nätverket. Modbus använder port 502 och MQTT port 1883.',
  ],
  host: ['Address or host name', 'Adress eller värdnamn'],
  port: ['Port', 'Port'],
  check: ['Test', 'Testa'],
  open: ['{host} accepts connections on port {port}.', '{host} tar emot anslutningar på port {port}.'],
  closed: [
    'No answer from {host} on port {port}. Check that the device is on, is on the same network and allows connections in its settings.',
    'Inget svar från {host} på port {port}. Kontrollera att enheten är på, finns i samma nätverk och tillåter anslutningar i sina inställningar.',
  ],
});

export function PortCard() {
  const host = useSignal('');
  const port = useSignal('502');
  const found = useSignal<ReplyOf<typeof checkPort> | undefined>(undefined);
  const check = useAction(async () => {
    found.value = undefined;
    found.value = await gateway.call(checkPort, { body: { host: host.value.trim(), port: Number(port.value) } });
  });
  return (
    <Card title={t('title')} says={t('says')}>
      <ActionForm does={check} submit={t('check')}>
        <Field label={t('host')} required value={host} />
        <Field label={t('port')} type="number" min={1} max={65_535} required value={port} />
      </ActionForm>
      {found.value && (
        <Notice tone={found.value.open ? 'good' : 'warning'}>
          {t(found.value.open ? 'open' : 'closed', { host: found.value.host, port: found.value.port })}
        </Notice>
      )}
    </Card>
  );
}
