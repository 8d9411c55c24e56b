import type { System } from '#contract/gateway/system.ts';
import { Card } from '../../parts/card.tsx';
import { bytes, dateAndTime, number } from '../../parts/format.ts';
import { Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { Facts } from '../facts.tsx';
import { clockDifferenceMs } from '../gateway-clock.ts';
import { duration } from './duration.ts';

const t = texts({
  en: {
    title: 'The gateway',
    version: 'Version',
    uptime: 'Has run for',
    time: 'Its clock',
    wrong: 'Its clock differs from that of this device by {span}. What it measures is dated by its own.',
    memory: 'Memory',
    memorySays: '{used} of {total} used ({percent} %)',
    least: 'Least that was free',
    temperature: 'Temperature',
    unknown: 'not measured here',
    load: 'Load (1, 5, 15 min)',
    storage: 'Size of the disk',
    speed: 'Processor',
  },
  sv: {
    title: 'Gatewayen',
    version: 'Version',
    uptime: 'Har kört i',
    time: 'Dess klocka',
    wrong: 'Dess klocka skiljer sig {span} från den här enhetens. Det den mäter får tiden från dess egen.',
    memory: 'Minne',
    memorySays: '{used} av {total} används ({percent} %)',
    least: 'Minst ledigt hittills',
    temperature: 'Temperatur',
    unknown: 'mäts inte här',
    load: 'Last (1, 5, 15 min)',
    storage: 'Diskens storlek',
    speed: 'Processor',
  },
});

const kilo = 1024; // of memory
const mega = 2 ** 20; // of the disk

export function MachineCard({ system }: { system: System }) {
  const { gateway_info: info, memory_kb: memory, processes_average: load, temperature_celsius: celsius } = system;
  const difference = Math.abs(clockDifferenceMs());
  const memoryWords = {
    used: bytes(memory.used * kilo),
    total: bytes(memory.total * kilo),
    percent: number(memory.percent_used),
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
          [t('least'), bytes(memory.min * kilo)],
          [t('temperature'), celsius === undefined ? t('unknown') : `${number(celsius)} °C`],
          [t('load'), [load.last_1min, load.last_5min, load.last_15min].map((each) => number(each, 2)).join(' · ')],
          [t('storage'), info.flashSizeMB && bytes(info.flashSizeMB * mega)],
          [t('speed'), info.cpuFreqMHz && `${number(info.cpuFreqMHz)} MHz`],
        ]}
      />
    </Card>
  );
}
