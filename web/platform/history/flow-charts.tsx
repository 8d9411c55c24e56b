import { useMemo } from 'preact/hooks';
import { bucketMs } from '#contract/cloud/telemetry.ts';
import { hourMs } from '#contract/time.ts';
import { Chart } from '../../chart/chart.tsx';
import { editable } from '../../parts/bound-value.ts';
import { Switch } from '../../parts/field.tsx';
import { pageUrl, setQuery } from '../../parts/router.tsx';
import { day, energy, language, monthAndYear, power, shortDay, texts, timeOfDay } from '../../parts/text.ts';
import { type BarUnit, calendarBarsOf } from './buckets.ts';
import { energiesOf } from './energy.ts';
import { energyBars, powerLines, sides, stackedPower } from './site-series.ts';
import type { SiteMeasurements } from './use-site-history.ts';

const t = texts({
  stacked: 'Stacked',
  hour: 'Energy per hour',
  day: 'Energy per day',
  month: 'Energy per month',
  to: '{day}, {from}–{to}',
});

const formats: Record<BarUnit, (ms: number, timeZone?: string) => string> = {
  hour: (ms, timeZone) =>
    t('to', { day: shortDay(ms, timeZone), from: timeOfDay(ms, timeZone), to: timeOfDay(ms + hourMs, timeZone) }),
  day,
  month: monthAndYear,
};

export type SiteChartProps = {
  measured: SiteMeasurements;
  timeZone: string | undefined;
  onZoom(fromMs: number, toMs: number): void;
};

const frameOf = ({ measured: { span }, timeZone, onZoom }: SiteChartProps) =>
  ({ timeZone, range: [span.from, span.to], sides: sides(), onZoom }) as const;

export function EnergyChart(props: SiteChartProps) {
  const { measured, timeZone } = props;
  const { buckets, span, loadedAt } = measured;
  const { kind, x, series } = useMemo(() => {
    const { kind, slots } = calendarBarsOf(span, timeZone);
    // The last bucket may reach into the future, where nothing has been measured.
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
      {...frameOf(props)}
    />
  );
}

export function PowerChart(props: SiteChartProps) {
  const { measured } = props;
  const { buckets, resolution, span, loadedAt } = measured;
  const isStacked = pageUrl.value.searchParams.get('shape') !== 'lines';
  const x = useMemo(() => buckets.rows.map(({ from }) => from), [buckets]);
  const series = useMemo(
    () => (isStacked ? stackedPower(buckets) : powerLines(buckets)),
    [buckets, isStacked, language.value],
  );
  const markers = useMemo(
    () => (span.from < loadedAt && loadedAt < span.to ? [{ atMs: loadedAt, label: t('now') }] : []),
    [measured, language.value],
  );
  return (
    <>
      <Switch
        label={t('stacked')}
        value={editable(isStacked, (isOn) => setQuery({ shape: isOn ? undefined : 'lines' }))}
      />
      <Chart
        label={t('power')}
        x={x}
        series={series}
        format={power}
        stepMs={bucketMs[resolution]}
        markers={markers}
        {...frameOf(props)}
      />
    </>
  );
}
