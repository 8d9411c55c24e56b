import type { System } from '#contract/gateway/system.ts';
import { Card } from '../../parts/card.tsx';
import { bytes, dateAndTime, number, percent } from '../../parts/format.ts';
import { Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { Facts } from '../facts.tsx';
import { clockDifferenceMs } from '../gateway-api.ts';

const t = texts({
  title: ['Gateway', 'Gateway'],
  version: ['Version', 'Version'],
  uptime: ['Uptime', 'Drifttid'],
  time: ['Clock', 'Klocka'],
  wrong: [
    'The clock of the gateway differs from that of this device by {span}. Measurements have the time of the gateway.',
    'Gatewayens klocka skiljer sig {span} från den här enhetens. Mätvärdena får gatewayens tid.',
  ],
  memory: ['Memory', 'Minne'],
  memorySays: ['{used} of {total} used ({percent})', '{used} av {total} används ({percent})'],
  least: ['Lowest free memory', 'Lägsta lediga minne'],
  temperature: ['Temperature', 'Temperatur'],
  unknown: ['not measured', 'mäts inte'],
  load: ['Load (1, 5, 15 min)', 'Belastning (1, 5, 15 min)'],
  storage: ['Disk size', 'Diskstorlek'],
  speed: ['Processor clock', 'Processorns klockfrekvens'],
  s: ['{count} s', '{count} s'],
  min: ['{count} min', '{count} min'],
  h: ['{count} h', '{count} tim'],
  d: ['{count} days', '{count} dygn'],
});

const kibibyte = 1024;
const mebibyte = 2 ** 20;

export function MachineCard({ system }: { system: System }) {
  const { gateway_info: info, memory_kb: memory, processes_average: load, temperature_celsius: celsius } = system;
  const difference = Math.abs(clockDifferenceMs());
  const memoryWords = {
    used: bytes(memory.used * kibibyte),
    total: bytes(memory.total * kibibyte),
    percent: percent(memory.percent_used / 100),
  };
  return (
    <Card title={t('title')}>
      {difference > 0 && <Notice tone="warning">{t('wrong', { span: duration(difference / 1000) })}</Notice>}
      <Facts
        of={[
          [t('version'), `${info.firmwareVersion} (Node ${info.sdkVersion})`],
          [t('uptime'), duration(system.uptime_seconds)],
          [t('time'), dateAndTime(system.time_utc_sec * 1000)],
          [t('memory'), t('memorySays', memoryWords)],
          [t('least'), bytes(memory.min * kibibyte)],
          [t('temperature'), celsius === undefined ? t('unknown') : `${number(celsius)} °C`],
          [t('load'), [load.last_1min, load.last_5min, load.last_15min].map((each) => number(each, 2)).join(' · ')],
          [t('storage'), info.flashSizeMB && bytes(info.flashSizeMB * mebibyte)],
          [t('speed'), info.cpuFreqMHz && `${number(info.cpuFreqMHz)} MHz`],
        ]}
      />
    </Card>
  );
}

/** Returns a duration in the largest fitting unit. */
function duration(seconds: number): string {
  if (seconds < 120) return t('s', { count: number(seconds) });
  if (seconds < 7200) return t('min', { count: number(seconds / 60) });
  if (seconds < 2 * 86_400) return t('h', { count: number(seconds / 3600) });
  return t('d', { count: number(seconds / 86_400) });
}
