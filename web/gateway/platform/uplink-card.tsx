import type { Status } from '#contract/gateway/status.ts';
import { Age } from '../../parts/age.tsx';
import { Card, Figure } from '../../parts/card.tsx';
import { bytes, number } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';
import { Facts } from '../facts.tsx';
import { byOurClock } from '../gateway-clock.ts';
import { dropWords } from './drop-words.ts';

const t = texts({
  en: {
    title: 'On its way to the platform',
    connected: 'Connected',
    away: 'Not connected',
    awaySays: 'It is tried again and again. What is measured meanwhile waits on disk.',
    noneSays: 'No broker is set. Claim the gateway on a platform, then tell the gateway the broker of that platform.',
    waiting: 'Samples waiting',
    onDisk: '{size} on disk',
    broker: 'Broker',
    oldest: 'Oldest of them',
    last: 'Last acknowledged',
    number: 'number {seq},',
    dropped: 'Given up',
    thinned: 'Made into means of a minute',
    samples: '{count} samples',
  },
  sv: {
    title: 'På väg till plattformen',
    connected: 'Ansluten',
    away: 'Inte ansluten',
    awaySays: 'Nya försök görs hela tiden. Det som mäts under tiden väntar på disken.',
    noneSays: 'Ingen server är angiven. Ta över gatewayen på en plattform och ange sedan plattformens server här.',
    waiting: 'Mätvärden som väntar',
    onDisk: '{size} på disken',
    broker: 'Server',
    oldest: 'Äldst av dem',
    last: 'Senast bekräftat',
    number: 'nummer {seq},',
    dropped: 'Övergivna',
    thinned: 'Omgjorda till minutmedelvärden',
    samples: '{count} mätvärden',
  },
});

export function UplinkCard({ uplink }: { uplink: Status['uplink'] }) {
  const { connected, broker, waiting, bytes: size, oldest, acknowledged, dropped, thinned } = uplink;
  const drops = Object.entries(dropped).map(([reason, count]) => `${number(count)} ${dropWords(reason)}`);
  const state = <span class={`tag ${connected ? 'good' : 'problem'}`}>{t(connected ? 'connected' : 'away')}</span>;
  return (
    <Card title={t('title')} beside={broker && state}>
      {!connected && <p class="says">{t(broker ? 'awaySays' : 'noneSays')}</p>}
      <Figure label={t('waiting')} value={number(waiting)} more={t('onDisk', { size: bytes(size) })} />
      <Facts
        of={[
          [t('broker'), broker],
          [t('oldest'), oldest !== undefined && waiting > 0 ? <Age ms={byOurClock(oldest)} /> : undefined],
          [
            t('last'),
            acknowledged && (
              <>
                {t('number', { seq: acknowledged.seq })} <Age ms={byOurClock(acknowledged.at)} />
              </>
            ),
          ],
          [t('dropped'), drops.join(', ')],
          [t('thinned'), thinned > 0 ? t('samples', { count: number(thinned) }) : undefined],
        ]}
      />
    </Card>
  );
}
