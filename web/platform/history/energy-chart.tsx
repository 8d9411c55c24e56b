import { useMemo } from 'preact/hooks';
import { hourMs } from '#contract/time.ts';
import { Chart } from '../../chart/chart.tsx';
import { day, energy, monthAndYear, shortDay, timeOfDay } from '../../parts/format.ts';
import { language, texts } from '../../parts/text.ts';
import { energiesOf } from './energy.ts';
import { sides } from './flow-words.ts';
import type { SiteChartProps } from './power-chart.tsx';
import { energyBars } from './site-series.ts';
import { type SlotKind, slotsOf } from './slots.ts';

const t = texts({
  en: { hour: 'Energy by hour', day: 'Energy by day', month: 'Energy by month', to: '{day}, {from} to {to}' },
  sv: { hour: 'Energi per timme', day: 'Energi per dag', month: 'Energi per månad', to: '{day}, {from} till {to}' },
});

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
