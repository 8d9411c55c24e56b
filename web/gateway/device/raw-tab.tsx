import { getRawData, type RawData } from '#contract/gateway/data.ts';
import { Age } from '../../parts/age.tsx';
import { Card } from '../../parts/card.tsx';
import { Code } from '../../parts/copy.tsx';
import { download } from '../../parts/download.ts';
import { Loaded } from '../../parts/load.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { byOurClock } from '../gateway-clock.ts';
import type { HeardDevice } from '../heard-devices.ts';
import { usePoll } from '../poll.ts';
import { FailedFrameCard } from './failed-frame-card.tsx';
import { linesOf } from './raw-lines.ts';

const t = texts({
  en: {
    title: 'As the device said it',
    none: 'The device has said nothing yet, or is not connected.',
    download: 'Download',
    decode: 'What a downloaded Modbus image or a telegram means, “ohmstead decode” tells.',
  },
  sv: {
    title: 'Som enheten sa det',
    none: 'Enheten har inte sagt något ännu, eller är inte ansluten.',
    download: 'Ladda ner',
    decode: 'Vad en nedladdad Modbus-avbild eller ett telegram betyder berättar ”ohmstead decode”.',
  },
});

export function RawTab({ device: { sn, type } }: { device: HeardDevice }) {
  const raw = usePoll(
    async (signal) => (await gateway.call(getRawData, { params: { sn }, signal })) ?? null, // null is an answer, too
    [sn],
  );
  return (
    <>
      <Loaded from={raw}>{(said) => (said ? <RawCard sn={sn} said={said} /> : <p class="says">{t('none')}</p>)}</Loaded>
      {type === 'p1_uart' && <FailedFrameCard sn={sn} />}
    </>
  );
}

function RawCard({ sn, said }: { sn: string; said: RawData }) {
  const { ts } = said.data;
  return (
    <Card title={t('title')} beside={<Age ms={typeof ts === 'number' ? byOurClock(ts) : undefined} />}>
      <Code>{linesOf(said).join('\n')}</Code>
      <div class="actions">
        <button
          type="button"
          onClick={() => download(`${sn}.json`, JSON.stringify(said.data, undefined, 2), 'application/json')}
        >
          {t('download')}
        </button>
      </div>
      <p class="says">{t('decode')}</p>
    </Card>
  );
}
