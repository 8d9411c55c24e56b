import { useMemo } from 'preact/hooks';
import type { EnergyResolution } from '#contract/cloud/energy.ts';
import { bucketMs } from '#contract/cloud/telemetry.ts';
import { Chart } from '../../chart/chart.tsx';
import { editable } from '../../parts/bound-value.ts';
import { Switch } from '../../parts/field.tsx';
import { pageUrl, setQuery } from '../../parts/router.tsx';
import { day, energy, language, monthAndYear, power, shortDay, texts, timeOfDay, year } from '../../parts/text.ts';
import type { TimeRange } from './buckets.ts';
import { energyBars, powerLines, sides, stackedPower } from './site-series.ts';
import type { LoadedEnergy } from './use-energy.ts';
import type { SiteMeasurements } from './use-site-history.ts';

const t = texts({
  stacked: 'Stacked',
  '15m': 'Energy per quarter-hour',
  '1h': 'Energy per hour',
  '1d': 'Energy per day',
  '1mo': 'Energy per month',
  '1y': 'Energy per year',
  to: '{day}, {from}–{to}',
});

const clockTime = (ms: number, timeZone: string | undefined, end: number): string =>
  t('to', { day: shortDay(ms, timeZone), from: timeOfDay(ms, timeZone), to: timeOfDay(end, timeZone) });

const formats: Record<EnergyResolution, (ms: number, timeZone: string | undefined, end: number) => string> = {
  '15m': clockTime,
  '1h': clockTime,
  '1d': day,
  '1mo': monthAndYear,
  '1y': year,
};

type ChartProps = { timeZone: string | undefined; onZoom(fromMs: number, toMs: number): void };

const frameOf = ({ from, to }: TimeRange, { timeZone, onZoom }: ChartProps) =>
  ({ timeZone, range: [from, to], sides: sides(), onZoom }) as const;

export function EnergyChart({ loaded, ...props }: ChartProps & { loaded: LoadedEnergy }) {
  const { energy: ledger, span } = loaded;
  const { resolution } = ledger;
  const { x, ends, series } = useMemo(() => {
    const ends = new Map(ledger.intervals.map(({ start, end }) => [Date.parse(start), Date.parse(end)]));
    return { x: [...ends.keys()], ends, series: energyBars(ledger) };
  }, [ledger, language.value]);
  return (
    <Chart
      label={t(resolution)}
      x={x}
      series={series}
      format={(value) => energy(Math.abs(value))}
      formatX={(ms, timeZone) => formats[resolution](ms, timeZone, ends.get(ms) ?? ms)}
      {...frameOf(span, props)}
    />
  );
}

export function PowerChart({ measured, ...props }: ChartProps & { measured: SiteMeasurements }) {
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
        {...frameOf(span, props)}
      />
    </>
  );
}
