import { useMemo } from 'preact/hooks';
import { hourMs } from '#contract/time.ts';
import { Chart } from '../../chart/chart.tsx';
import { day, energy, monthAndYear, power, shortDay, timeOfDay } from '../../parts/format.ts';
import { language, texts } from '../../parts/text.ts';
import { type SlotKind, slotsOf } from './buckets.ts';
import { energiesOf } from './energy.ts';
import { widthMs } from './resolution.ts';
import { energyBars, powerLines, sides, stackedPower } from './site-series.ts';
import type { Measured } from './use-site-history.ts';

const formats: Record<SlotKind, (ms: number, timeZone?: string) => string> = {
  hour: (ms, timeZone) =>
    t('to', { day: shortDay(ms, timeZone), from: timeOfDay(ms, timeZone), to: timeOfDay(ms + hourMs, timeZone) }),
  day,
  month: monthAndYear,
};

/** What flowed in each hour, day or month. */
export function EnergyChart({ measured, timeZone, onZoom }: SiteChartProps) {
  const { buckets, span, loadedAt } = measured;
  const { kind, x, series } = useMemo(() => {
    const { kind, slots } = slotsOf(span, timeZone);
    // What has not passed cannot have been measured, though the last bucket may reach into it.
    const passed = slots.map(({ from, to }) => ({ from, to: Math.max(from, Math.min(to, loadedAt)) }));
    return { kind, x: slots.map(({ from }) => from), series: energyBars(energiesOf(buckets, passed)) };
  }, [measured, timeZone, language.value]);
  return (
    <Chart
      label={t(kind)}
      x={x}
      series={series}
      format={(value) => energy(Math.abs(value))}
      formatX={formats[kind]}
      timeZone={timeZone}
      range={[span.from, span.to]}
      sides={sides()}
      height={320}
      onZoom={onZoom}
    />
  );
}

const t = texts({
  en: {
    label: 'Power',
    now: 'Now',
    hour: 'Energy by hour',
    day: 'Energy by day',
    month: 'Energy by month',
    to: '{day}, {from} to {to}',
  },
  sv: {
    label: 'Effekt',
    now: 'Nu',
    hour: 'Energi per timme',
    day: 'Energi per dag',
    month: 'Energi per månad',
    to: '{day}, {from} till {to}',
  },
});

export type SiteChartProps = {
  measured: Measured;
  timeZone: string | undefined;
  onZoom(fromMs: number, toMs: number): void;
};

/** The powers of a site over time, stacked or as lines. */
export function PowerChart({ measured, timeZone, isStacked, onZoom }: SiteChartProps & { isStacked: boolean }) {
  const { buckets, resolution, span, loadedAt } = measured;
  const series = useMemo(
    () => (isStacked ? stackedPower(buckets) : powerLines(buckets)),
    [buckets, isStacked, language.value],
  );
  const markers = useMemo(
    () => (span.from < loadedAt && loadedAt < span.to ? [{ atMs: loadedAt, label: t('now') }] : []),
    [measured, language.value],
  );
  return (
    <Chart
      label={t('label')}
      x={buckets.starts}
      series={series}
      format={power}
      timeZone={timeZone}
      stepMs={widthMs[resolution]}
      range={[span.from, span.to]}
      sides={sides()}
      markers={markers}
      height={320}
      onZoom={onZoom}
    />
  );
}
