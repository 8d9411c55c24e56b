import { getCrypto } from '#contract/gateway/identity.ts';
import { type Network, stopBle } from '#contract/gateway/network.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { useLoad } from '../../parts/load.tsx';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { Facts } from '../facts.tsx';
import { gateway } from '../gateway-api.ts';

const t = texts({
  en: {
    title: 'How the gateway is connected',
    address: 'Address',
    noAddress: 'none: no cable and no Wi-Fi',
    page: 'This page',
    name: 'Name (mDNS)',
    nameSays: '{name}, unless the configuration says otherwise',
    internet: 'Way out to the internet',
    platform: 'Platform',
    yes: 'yes',
    no: 'no',
    connected: 'connected',
    away: 'not connected',
    bluetooth: 'Switch Bluetooth off',
  },
  sv: {
    title: 'Hur gatewayen är ansluten',
    address: 'Adress',
    noAddress: 'ingen: varken kabel eller wifi',
    page: 'Den här sidan',
    name: 'Namn (mDNS)',
    nameSays: '{name}, om inte konfigurationen säger något annat',
    internet: 'Väg ut till internet',
    platform: 'Plattform',
    yes: 'ja',
    no: 'nej',
    connected: 'ansluten',
    away: 'inte ansluten',
    bluetooth: 'Stäng av Bluetooth',
  },
});

const announced = (serial: string): string => `zap-${serial.replaceAll(/[^A-Za-z0-9-]/g, '-')}.local`;

export function StateCard({ network }: { network: Network }) {
  const identity = useLoad((signal) => gateway.call(getCrypto, { signal }), []);
  const bluetooth = useAction(() => gateway.call(stopBle));
  const serial = identity.value?.serialNumber;
  return (
    <Card title={t('title')}>
      <Facts
        of={[
          [t('address'), network.localIP ?? t('noAddress')],
          [t('page'), location.host],
          [t('name'), serial && t('nameSays', { name: announced(serial) })],
          [t('internet'), t(network.internetConnected ? 'yes' : 'no')],
          [t('platform'), t(network.mqttConnected ? 'connected' : 'away')],
        ]}
      />
      {bluetooth.problem !== undefined && <Failed problem={bluetooth.problem} />}
      <div class="actions">
        <ActionButton does={bluetooth} tone="plain">
          {t('bluetooth')}
        </ActionButton>
      </div>
    </Card>
  );
}
