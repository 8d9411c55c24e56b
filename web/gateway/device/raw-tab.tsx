import { type DebugData, getDebugData, getRawData, type RawData } from '#contract/gateway/data.ts';
import { Age } from '../../parts/age.tsx';
import { Card } from '../../parts/card.tsx';
import { Code } from '../../parts/copy.tsx';
import { download } from '../../parts/download.ts';
import { number } from '../../parts/format.ts';
import { Loaded } from '../../parts/load.tsx';
import { texts } from '../../parts/text.ts';
import type { DeviceWithReadings } from '../devices.ts';
import { Facts } from '../facts.tsx';
import { gateway, toBrowserTime } from '../gateway-api.ts';
import { usePoll } from '../poll.ts';
import { linesOf } from './raw-lines.ts';

const t = texts({
  title: ['Latest data from the device', 'Senaste data från enheten'],
  none: ['No data yet, or the device is not connected.', 'Inga data ännu, eller så är enheten inte ansluten.'],
  download: ['Download', 'Ladda ner'],
  decode: [
    'Use “ohmstead decode” to decode a downloaded Modbus image or telegram.',
    'Använd ”ohmstead decode” för att avkoda en nedladdad Modbus-avbild eller ett telegram.',
  ],
  frame: ['Last invalid frame', 'Senaste ogiltiga ramen'],
  noFrame: ['No invalid frames since the gateway started.', 'Inga ogiltiga ramar sedan gatewayen startade.'],
  kind: ['Type', 'Typ'],
  size: ['Size', 'Storlek'],
  bytes: ['{count} bytes', '{count} byte'],
  ascii: ['As text', 'Som text'],
  hex: ['As hexadecimal', 'Hexadecimalt'],
});

export function RawTab({ device: { sn, type } }: { device: DeviceWithReadings }) {
  const loaded = usePoll(
    async (signal) => (await gateway.call(getRawData, { params: { sn }, signal })) ?? null, // a device without data
    [sn],
  );
  return (
    <>
      <Loaded from={loaded}>{(raw) => (raw ? <RawCard sn={sn} raw={raw} /> : <p class="says">{t('none')}</p>)}</Loaded>
      {type === 'p1_uart' && <FailedFrameCard sn={sn} />}
    </>
  );
}

function RawCard({ sn, raw }: { sn: string; raw: RawData }) {
  const { ts } = raw.data;
  return (
    <Card title={t('title')} beside={<Age ms={typeof ts === 'number' ? toBrowserTime(ts) : undefined} />}>
      <Code>{linesOf(raw).join('\n')}</Code>
      <div class="actions">
        <button
          type="button"
          onClick={() => download(`${sn}.json`, JSON.stringify(raw.data, undefined, 2), 'application/json')}
        >
          {t('download')}
        </button>
      </div>
      <p class="says">{t('decode')}</p>
    </Card>
  );
}

const frameKinds = ['ASCII', 'HDLC', 'M-Bus'];

/** Shows the last frame of a meter that could not be decoded. */
function FailedFrameCard({ sn }: { sn: string }) {
  const debug = usePoll((signal) => gateway.call(getDebugData, { params: { sn }, signal }), [sn]);
  const at = debug.value?.last_failed_ts;
  return (
    <Card title={t('frame')} beside={at !== undefined && <Age ms={toBrowserTime(at)} />}>
      <Loaded from={debug}>
        {(frame) => (frame.last_failed_hex ? <Frame frame={frame} /> : <p class="says">{t('noFrame')}</p>)}
      </Loaded>
    </Card>
  );
}

function Frame({ frame }: { frame: DebugData }) {
  return (
    <>
      <Facts
        of={[
          [t('kind'), frameKinds[frame.last_failed_type ?? -1]],
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
