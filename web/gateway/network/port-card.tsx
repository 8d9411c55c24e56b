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
  en: {
    title: 'Does something listen there?',
    says: 'Whether the gateway reaches a device in the local network. Modbus is at port 502, MQTT at 1883.',
    host: 'Address or name',
    port: 'Port',
    check: 'Look',
    open: 'Yes: {host} listens at port {port}.',
    closed:
      'No: nothing answers at {host}, port {port}. See whether the device is on, in the same network, and whether the connection is allowed in its settings.',
  },
  sv: {
    title: 'Lyssnar något där?',
    says: 'Om gatewayen når en enhet i det lokala nätverket. Modbus finns på port 502, MQTT på 1883.',
    host: 'Adress eller namn',
    port: 'Port',
    check: 'Se efter',
    open: 'Ja: {host} lyssnar på port {port}.',
    closed:
      'Nej: inget svarar på {host}, port {port}. Se efter om enheten är på, i samma nätverk, och om anslutningen är tillåten i dess inställningar.',
  },
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
    <Card title={t('title')}>
      <p class="says">{t('says')}</p>
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
