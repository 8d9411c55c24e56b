import { PageHead } from '../../parts/page-head.tsx';
import { usePoll } from '../poll.ts';
import { PortCard } from './port-card.tsx';
import { WifiCard } from './wifi-card.tsx';
import './network.css';
import { getCrypto } from '#contract/gateway/identity.ts';
import { getNetwork, type Network, stopBle } from '#contract/gateway/network.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { texts } from '../../parts/text.ts';
import { Facts } from '../facts.tsx';
import { gateway } from '../gateway-api.ts';

const t = texts({
  title: ['Network', 'Nätverk'],
  connection: ['Connection', 'Anslutning'],
  address: ['Address', 'Adress'],
  noAddress: ['None (no cable and no Wi-Fi)', 'Saknas (varken kabel eller wifi)'],
  page: ['Address of this page', 'Sidans adress'],
  name: ['mDNS name', 'mDNS-namn'],
  nameSays: ['{name}, unless configured otherwise', '{name}, om inget annat är konfigurerat'],
  internet: ['Internet access', 'Internetåtkomst'],
  platform: ['Platform', 'Plattform'],
  yes: ['Yes', 'Ja'],
  no: ['No', 'Nej'],
  connected: ['Connected', 'Ansluten'],
  away: ['Not connected', 'Inte ansluten'],
  bluetooth: ['Turn off Bluetooth', 'Stäng av Bluetooth'],
});

const everyMs = 3000;

export default function NetworkPage() {
  const network = usePoll((signal) => gateway.call(getNetwork, { signal }), [], everyMs);
  return (
    <>
      <PageHead title={t('title')} />
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
          [t('platform'), t(network.mqttConnected ? 'connected' : 'away')],
        ]}
      />
      <div class="actions">
        <ActionButton does={bluetooth} tone="plain">
          {t('bluetooth')}
        </ActionButton>
      </div>
    </Card>
  );
}
