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
  noAddress: 'None (no cable and no Wi-Fi)',
  page: 'Address of this page',
  name: 'mDNS name',
  nameSays: '{name}, unless configured otherwise',
  internet: 'Internet access',
  bluetooth: 'Turn off Bluetooth',
  test: 'Test a connection',
  testSays: 'Checks whether the gateway can reach a device on the local network. Modbus uses port 502, MQTT port 1883.',
  host: 'Address or host name',
  port: 'Port',
  check: 'Test',
  open: '{host} accepts connections on port {port}.',
  closed:
    'No answer from {host} on port {port}. Check that the device is on, is on the same network and allows connections in its settings.',
  wifi: 'Wi-Fi',
  unavailable: 'This gateway has no usable Wi-Fi. Connect it by cable.',
  disabled: 'Wi-Fi is turned off in the operating system of the gateway. Turn it on there.',
  joined: 'Connected to {ssid}, signal {signal}.',
  noNetworks: 'No networks found.',
  scan: 'Scan for networks',
  networks: 'Available networks',
  join: 'Connect',
  joinIt: 'Connect to {ssid}',
  noPassword: 'open (no password)',
  hidden: 'Connect to a hidden network',
  leave: 'Disconnect',
  sure: 'Disconnect from {ssid}?',
  leaveSays:
    'In five seconds the gateway disconnects and deletes the password of the network. Without a cable you cannot reach it after that.',
  strong: 'strong',
  good: 'good',
  weak: 'weak',
  signal: '{word} ({dbm} dBm)',
  joinTitle: 'Connect to Wi-Fi',
  ssid: 'Network name (SSID)',
  password: 'Password',
  passwordSays: 'Leave empty for an open network.',
  joinSays: 'The gateway may get a new address, and this page may lose its connection.',
  joining: 'Connecting. This takes up to 30 seconds.',
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
  connected: 'network|Connected',
  disconnected: 'network|Not connected',
  connecting: 'Connecting',
  disabled: 'Turned off',
  unavailable: 'Not available',
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
