import { usePoll } from '../poll.ts';
import { WifiCard } from './wifi-card.tsx';
import './network.css';
import { useSignal } from '@preact/signals';
import { getCrypto } from '#contract/gateway/identity.ts';
import { checkPort, getNetwork, type Network, stopBle } from '#contract/gateway/network.ts';
import type { ReplyOf } from '#contract/route.ts';
import { ActionButton, ActionForm, useAction } from '../../parts/action.tsx';
import { Field } from '../../parts/field.tsx';
import { Card, Notice, PageHead } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { texts } from '../../parts/text.ts';
import { Facts } from '../facts.tsx';
import { gateway } from '../gateway-api.ts';

const t = texts({
  noAddress: ['None (no cable and no Wi-Fi)', 'Saknas (varken kabel eller wifi)'],
  page: ['Address of this page', 'Sidans adress'],
  name: ['mDNS name', 'mDNS-namn'],
  nameSays: ['{name}, unless configured otherwise', '{name}, om inget annat är konfigurerat'],
  internet: ['Internet access', 'Internetåtkomst'],
  bluetooth: ['Turn off Bluetooth', 'Stäng av Bluetooth'],
  test: ['Test a connection', 'Testa en anslutning'],
  testSays: [
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

const everyMs = 3000;

export default function NetworkPage() {
  const network = usePoll((signal) => gateway.call(getNetwork, { signal }), [], everyMs);
  return (
    <>
      <PageHead title={t('network')} />
      <Loaded from={network}>
        {(state) => (
          <div class="cards">
            <StateCard network={state} />
            <WifiCard network={state} />
            <PortCard />
          </div>
        )}
      </Loaded>
    </>
  );
}

const announced = (serial: string): string => `zap-${serial.replaceAll(/[^A-Za-z0-9-]/g, '-')}.local`;

function StateCard({ network }: { network: Network }) {
  const identity = useLoad((signal) => gateway.call(getCrypto, { signal }), []);
  const bluetooth = useAction(() => gateway.call(stopBle));
  const serial = identity.value?.serialNumber;
  return (
    <Card title={t('connection')}>
      <Facts
        of={[
          [t('address'), network.localIP ?? t('noAddress')],
          [t('page'), location.host],
          [t('name'), serial && t('nameSays', { name: announced(serial) })],
          [t('internet'), t(network.internetConnected ? 'yes' : 'no')],
          [t('platform'), t(network.mqttConnected ? 'connected' : 'notConnected')],
        ]}
      />
      <div class="actions">
        <ActionButton does={bluetooth} tone="plain" label={t('bluetooth')} />
      </div>
    </Card>
  );
}

function PortCard() {
  const host = useSignal('');
  const port = useSignal('502');
  const found = useSignal<ReplyOf<typeof checkPort> | undefined>(undefined);
  const check = useAction(async () => {
    found.value = undefined;
    found.value = await gateway.call(checkPort, { body: { host: host.value.trim(), port: Number(port.value) } });
  });
  return (
    <Card title={t('test')} says={t('testSays')}>
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
