import { useSignal } from '@preact/signals';
import { getCrypto } from '#contract/gateway/identity.ts';
import {
  checkPort,
  getNetwork,
  getWifi,
  joinWifi,
  leaveWifi,
  type Network,
  type SeenNetwork,
  scanWifi,
  stopBle,
} from '#contract/gateway/network.ts';
import { ActionButton, ActionForm, Button, ConfirmButton, Dialog, useAction } from '../../parts/action.tsx';
import { Field } from '../../parts/field.tsx';
import { Card, Facts, Notice, PageHead } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { number, texts } from '../../parts/text.ts';
import { earlierGateway, gateway } from '../gateway-api.ts';
import { usePoll } from '../poll.ts';
import './network.css';

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
  wifi: ['Wi-Fi', 'Wifi'],
  unavailable: [
    'This gateway has no usable Wi-Fi. Connect it by cable.',
    'Gatewayen har inget wifi som kan användas. Anslut den med kabel.',
  ],
  disabled: [
    'Wi-Fi is turned off in the operating system of the gateway. Turn it on there.',
    'Wifi är avstängt i gatewayens operativsystem. Slå på det där.',
  ],
  joined: ['Connected to {ssid}, signal {signal}.', 'Ansluten till {ssid}, signalen är {signal}.'],
  noNetworks: ['No networks found.', 'Inga nätverk hittades.'],
  scan: ['Scan for networks', 'Sök efter nätverk'],
  networks: ['Available networks', 'Tillgängliga nätverk'],
  join: ['Connect', 'Anslut'],
  joinIt: ['Connect to {ssid}', 'Anslut till {ssid}'],
  noPassword: ['open (no password)', 'öppet (utan lösenord)'],
  hidden: ['Connect to a hidden network', 'Anslut till ett dolt nätverk'],
  leave: ['Disconnect', 'Koppla från'],
  sure: ['Disconnect from {ssid}?', 'Koppla från {ssid}?'],
  leaveSays: [
    'In five seconds the gateway disconnects and deletes the password of the network. Without a cable you cannot reach it after that.',
    'Om fem sekunder kopplar gatewayen från och raderar nätverkets lösenord. Utan kabel når du den inte efter det.',
  ],
  strong: ['strong', 'stark'],
  good: ['good', 'bra'],
  weak: ['weak', 'svag'],
  signal: ['{word} ({dbm} dBm)', '{word} ({dbm} dBm)'],
  joinTitle: ['Connect to Wi-Fi', 'Anslut till wifi'],
  ssid: ['Network name (SSID)', 'Nätverksnamn (SSID)'],
  password: ['Password', 'Lösenord'],
  passwordSays: ['Leave empty for an open network.', 'Lämna tomt för ett öppet nätverk.'],
  joinSays: [
    'The gateway may get a new address, and this page may lose its connection.',
    'Gatewayen kan få en ny adress, och sidan kan tappa kontakten med den.',
  ],
  joining: ['Connecting. This takes up to 30 seconds.', 'Ansluter. Det kan ta upp till 30 sekunder.'],
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
      <ActionButton does={bluetooth} tone="plain" label={t('bluetooth')} />
    </Card>
  );
}

function PortCard() {
  const host = useSignal('');
  const port = useSignal('502');
  const { result, ...check } = useAction(() =>
    gateway.call(checkPort, { body: { host: host.value.trim(), port: Number(port.value) } }),
  );
  return (
    <Card title={t('test')} says={t('testSays')}>
      <ActionForm does={check} submit={t('check')}>
        <Field label={t('host')} required value={host} />
        <Field label={t('port')} type="number" min={1} max={65_535} required value={port} />
      </ActionForm>
      {result && (
        <Notice tone={result.open ? 'good' : 'warning'}>
          {t(result.open ? 'open' : 'closed', { host: result.host, port: result.port })}
        </Notice>
      )}
    </Card>
  );
}

function WifiCard({ network }: { network: Network }) {
  const { wifiStatus, ssid, rssi } = network;
  const isThere = wifiStatus !== 'unavailable' && wifiStatus !== 'disabled';
  return (
    <Card title={t('wifi')} beside={<span class={`tag ${ssid ? 'good' : ''}`}>{wifiWords(wifiStatus)}</span>}>
      {ssid && rssi !== undefined && <p>{t('joined', { ssid, signal: signalWords(rssi) })}</p>}
      {ssid && (
        <ConfirmButton
          label={t('leave')}
          title={t('sure', { ssid })}
          work={() => gateway.call(leaveWifi)}
          says={t('leaveSays')}
        />
      )}
      {isThere ? <Seen joined={ssid} /> : <p class="says">{t(wifiStatus)}</p>}
    </Card>
  );
}

/** Lists the networks by the earlier form of the API, which contains signal and security. */
async function seenNetworks(signal: AbortSignal): Promise<SeenNetwork[]> {
  const { ssids } = await earlierGateway.call(getWifi, { signal });
  return ssids.filter((each) => typeof each === 'object');
}

function Seen({ joined }: { joined: string | undefined }) {
  const seen = usePoll(seenNetworks, [], everyMs);
  const scan = useAction(() => gateway.call(scanWifi));
  const wanted = useSignal<string | undefined>(undefined);
  return (
    <>
      <Loaded from={seen} empty={<p class="says">{t('noNetworks')}</p>}>
        {(networks) => (
          <ul class="networks" aria-label={t('networks')}>
            {networks.map(({ ssid, rssi, auth }) => (
              <li key={ssid}>
                <b>{ssid}</b>
                <span class="soft">{[signalWords(rssi), auth === 'open' ? t('noPassword') : auth].join(', ')}</span>
                {ssid === joined ? (
                  <span class="tag good">{t('connected')}</span>
                ) : (
                  <Button label={t('join')} ariaLabel={t('joinIt', { ssid })} onClick={() => (wanted.value = ssid)} />
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <div class="actions">
        <ActionButton does={scan} tone="plain" label={t('scan')} />
        <Button label={t('hidden')} onClick={() => (wanted.value = '')} />
      </div>
      {wanted.value !== undefined && <JoinDialog ssid={wanted.value} onClose={() => (wanted.value = undefined)} />}
    </>
  );
}

const wifiWords = texts({
  connected: ['Connected', 'Anslutet'],
  disconnected: ['Not connected', 'Inte anslutet'],
  connecting: ['Connecting', 'Ansluter'],
  disabled: ['Turned off', 'Avstängt'],
  unavailable: ['Not available', 'Saknas'],
});

/** Describes a signal strength; below -75 dBm connections become unreliable. */
const signalWords = (rssi: number): string =>
  t('signal', { word: t(rssi >= -60 ? 'strong' : rssi >= -75 ? 'good' : 'weak'), dbm: number(rssi) });

/** Connects to a network; an empty `ssid` is a hidden network, whose name the person enters. */
function JoinDialog({ ssid, onClose }: { ssid: string; onClose(): void }) {
  const name = useSignal(ssid);
  const psk = useSignal('');
  const join = useAction(async () => {
    await gateway.call(joinWifi, { body: { ssid: name.value, psk: psk.value } });
    onClose();
  });
  return (
    <Dialog title={t('joinTitle')} onClose={onClose}>
      <ActionForm does={join} submit={t('join')}>
        <Field label={t('ssid')} required maxLength={32} value={name} />
        <Field {...t.field('password')} type="password" maxLength={64} value={psk} />
        <p class="says">{t('joinSays')}</p>
        {join.isBusy && <Notice>{t('joining')}</Notice>}
      </ActionForm>
    </Dialog>
  );
}
