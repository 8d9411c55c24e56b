import { useSignal } from '@preact/signals';
import { getWifi, leaveWifi, type Network, type SeenNetwork, scanWifi } from '#contract/gateway/network.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm, DangerButton } from '../../parts/dialog.tsx';
import { Loaded } from '../../parts/load.tsx';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { earlierGateway, gateway } from '../gateway-api.ts';
import { usePoll } from '../poll.ts';
import { JoinDialog } from './join-dialog.tsx';
import { signalWords, wifiWords } from './wifi-words.ts';

const t = texts({
  en: {
    title: 'Wi-Fi',
    unavailable: 'This gateway has no Wi-Fi that it can use; a cable connects it.',
    disabled: 'Wi-Fi is switched off on the machine of the gateway, and is switched on there.',
    joined: 'In {ssid}, signal {signal}.',
    none: 'No network was seen. Look for networks.',
    scan: 'Look for networks',
    networks: 'Networks in reach',
    join: 'Join',
    joinIt: 'Join {ssid}',
    here: 'In use',
    open: 'open, without a password',
    hidden: 'Join a hidden network',
    leave: 'Leave this network',
    sure: 'Leave {ssid}?',
    leaveSays:
      'In five seconds the gateway leaves the network and forgets its password. Without a cable you cannot reach it after that.',
    leaveIt: 'Leave it',
  },
  sv: {
    title: 'Wifi',
    unavailable: 'Gatewayen har inget wifi som den kan använda; den är ansluten med kabel.',
    disabled: 'Wifi är avstängt på gatewayens maskin, och slås på där.',
    joined: 'I {ssid}, signalen är {signal}.',
    none: 'Inget nätverk syntes. Sök efter nätverk.',
    scan: 'Sök efter nätverk',
    networks: 'Nätverk inom räckhåll',
    join: 'Anslut',
    joinIt: 'Anslut till {ssid}',
    here: 'Används',
    open: 'öppet, utan lösenord',
    hidden: 'Anslut till ett dolt nätverk',
    leave: 'Lämna nätverket',
    sure: 'Lämna {ssid}?',
    leaveSays:
      'Om fem sekunder lämnar gatewayen nätverket och glömmer dess lösenord. Utan kabel når du den inte efter det.',
    leaveIt: 'Lämna det',
  },
});

const everyMs = 3000;

export function WifiCard({ network }: { network: Network }) {
  const { wifiStatus, ssid, rssi } = network;
  const isThere = wifiStatus !== 'unavailable' && wifiStatus !== 'disabled';
  return (
    <Card title={t('title')} beside={<span class={`tag ${ssid ? 'good' : ''}`}>{wifiWords(wifiStatus)}</span>}>
      {ssid && rssi !== undefined && <p>{t('joined', { ssid, signal: signalWords(rssi) })}</p>}
      {ssid && <Leave ssid={ssid} />}
      {isThere ? <Seen joined={ssid} /> : <p class="says">{t(wifiStatus)}</p>}
    </Card>
  );
}

/** The earlier form of the list tells signal and security, too. */
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
      <Loaded from={seen}>
        {(networks) =>
          networks.length === 0 ? (
            <p class="says">{t('none')}</p>
          ) : (
            <ul class="networks" aria-label={t('networks')}>
              {networks.map(({ ssid, rssi, auth }) => (
                <li key={ssid}>
                  <b>{ssid}</b>
                  <span class="soft">{[signalWords(rssi), auth === 'open' ? t('open') : auth].join(', ')}</span>
                  {ssid === joined ? (
                    <span class="tag good">{t('here')}</span>
                  ) : (
                    <button type="button" aria-label={t('joinIt', { ssid })} onClick={() => (wanted.value = ssid)}>
                      {t('join')}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {scan.problem !== undefined && <Failed problem={scan.problem} />}
      <div class="actions">
        <ActionButton does={scan} tone="plain">
          {t('scan')}
        </ActionButton>
        <button type="button" onClick={() => (wanted.value = '')}>
          {t('hidden')}
        </button>
      </div>
      {wanted.value !== undefined && <JoinDialog ssid={wanted.value} onClose={() => (wanted.value = undefined)} />}
    </>
  );
}

function Leave({ ssid }: { ssid: string }) {
  const leave = (): Promise<unknown> => gateway.call(leaveWifi);
  return (
    <div class="actions">
      <DangerButton label={t('leave')}>
        {(close) => (
          <Confirm title={t('sure', { ssid })} submit={t('leaveIt')} work={leave} onClose={close}>
            <p>{t('leaveSays')}</p>
          </Confirm>
        )}
      </DangerButton>
    </div>
  );
}
