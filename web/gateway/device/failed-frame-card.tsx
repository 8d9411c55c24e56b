import { type DebugData, getDebugData } from '#contract/gateway/data.ts';
import { Age } from '../../parts/age.tsx';
import { Card } from '../../parts/card.tsx';
import { Code } from '../../parts/copy.tsx';
import { number } from '../../parts/format.ts';
import { Loaded } from '../../parts/load.tsx';
import { texts } from '../../parts/text.ts';
import { Facts } from '../facts.tsx';
import { gateway } from '../gateway-api.ts';
import { byOurClock } from '../gateway-clock.ts';
import { usePoll } from '../poll.ts';

const t = texts({
  en: {
    title: 'The last frame that failed its check',
    none: 'No frame has failed since the gateway started.',
    kind: 'Kind',
    size: 'Size',
    bytes: '{count} bytes',
    ascii: 'As text',
    hex: 'As hex digits',
  },
  sv: {
    title: 'Den senaste ramen som inte klarade kontrollen',
    none: 'Ingen ram har underkänts sedan gatewayen startade.',
    kind: 'Slag',
    size: 'Storlek',
    bytes: '{count} byte',
    ascii: 'Som text',
    hex: 'Som hexadecimala tecken',
  },
});

const kinds = ['ASCII', 'HDLC', 'M-Bus'];

/** Why a meter may seem silent: what came, and was not understood. */
export function FailedFrameCard({ sn }: { sn: string }) {
  const debug = usePoll((signal) => gateway.call(getDebugData, { params: { sn }, signal }), [sn]);
  const at = debug.value?.last_failed_ts;
  return (
    <Card title={t('title')} beside={at !== undefined && <Age ms={byOurClock(at)} />}>
      <Loaded from={debug}>
        {(frame) => (frame.last_failed_hex ? <Frame frame={frame} /> : <p class="says">{t('none')}</p>)}
      </Loaded>
    </Card>
  );
}

function Frame({ frame }: { frame: DebugData }) {
  return (
    <>
      <Facts
        of={[
          [t('kind'), kinds[frame.last_failed_type ?? -1]],
          [t('size'), t('bytes', { count: number(frame.last_failed_size ?? 0) })],
        ]}
      />
      <h3>{t('ascii')}</h3>
      <Code>{frame.last_failed_ascii ?? ''}</Code>
      <h3>{t('hex')}</h3>
      <Code>{frame.last_failed_hex ?? ''}</Code>
    </>
  );
}
