import { useSignal } from '@preact/signals';
import { getWifi, joinWifi, leaveWifi, type Network, type SeenNetwork, scanWifi } from '#contract/gateway/network.ts';
import { ActionButton, ActionForm, Button, ConfirmButton, Dialog, useAction } from '../../parts/action.tsx';
import { Field } from '../../parts/field.tsx';
import { Card, Notice } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/load.tsx';
import { number, texts } from '../../parts/text.ts';
import { earlierGateway, gateway } from '../gateway-api.ts';
import { usePoll } from '../poll.ts';

const t = texts({
  title: ['Wi-Fi', 'Wifi'],
  unavailable: [
    'This gateway has no usable Wi-Fi. Connect it by cable.',
    'Gatewayen har inget wifi som kan användas. Anslut den med kabel.',
  ],
  disabled: [
    'Wi-Fi is turned off in the operating system of the gateway. Turn it on there.',
    'Wifi är avstängt i gatewayens operativsystem. Slå på det där.',
  ],
  joined: ['Connected to {ssid}, signal {signal}.', 'Ansluten till {ssid}, signalen är {signal}.'],
  none: ['No networks found.', 'Inga nätverk hittades.'],
  scan: ['Scan for networks', 'Sök efter nätverk'],
  networks: ['Available networks', 'Tillgängliga nätverk'],
  join: ['Connect', 'Anslut'],
  joinIt: ['Connect to {ssid}', 'Anslut till {ssid}'],
  open: ['open (no password)', 'öppet (utan lösenord)'],
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
  psk: ['Password', 'Lösenord'],
  pskSays: ['Leave empty for an open network.', 'Lämna tomt för ett öppet nätverk.'],
  says: [
    'The gateway may get a new address, and this page may lose its connection.',
    'Gatewayen kan få en ny adress, och sidan kan tappa kontakten med den.',
  ],
  joining: ['Connecting. This takes up to 30 seconds.', 'Ansluter. Det kan ta upp till 30 sekunder.'],
});

const everyMs = 3000;

export function WifiCard({ network }: { network: Network }) {
  const { wifiStatus, ssid, rssi } = network;
  const isThere = wifiStatus !== 'unavailable' && wifiStatus !== 'disabled';
  return (
    <Card title={t('title')} beside={<span class={`tag ${ssid ? 'good' : ''}`}>{wifiWords(wifiStatus)}</span>}>
      {ssid && rssi !== undefined && <p>{t('joined', { ssid, signal: signalWords(rssi) })}</p>}
      {ssid && (
        <div class="actions">
          <ConfirmButton label={t('leave')} title={t('sure', { ssid })} work={() => gateway.call(leaveWifi)}>
            <p>{t('leaveSays')}</p>
          </ConfirmButton>
        </div>
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
      <Loaded from={seen} empty={<p class="says">{t('none')}</p>}>
        {(networks) => (
          <ul class="networks" aria-label={t('networks')}>
            {networks.map(({ ssid, rssi, auth }) => (
              <li key={ssid}>
                <b>{ssid}</b>
                <span class="soft">{[signalWords(rssi), auth === 'open' ? t('open') : auth].join(', ')}</span>
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
        <Field label={t('psk')} says={t('pskSays')} type="password" maxLength={64} value={psk} />
        <p class="says">{t('says')}</p>
        {join.isBusy && <Notice>{t('joining')}</Notice>}
      </ActionForm>
    </Dialog>
  );
}
