import { useMemo } from 'preact/hooks';
import { Chart } from '../../chart/chart.tsx';
import { power } from '../../parts/format.ts';
import { language, texts } from '../../parts/text.ts';
import { sides } from './flow-words.ts';
import { widthMs } from './resolution.ts';
import { powerLines, stackedPower } from './site-series.ts';
import type { Measured } from './use-site-history.ts';

const t = texts({ en: { label: 'Power', now: 'Now' }, sv: { label: 'Effekt', now: 'Nu' } });

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
