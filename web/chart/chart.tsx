import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { dateAndTime } from '../parts/format.ts';
import { Failed } from '../parts/notice.tsx';
import { ChartTable } from './chart-table.tsx';
import { ChartTools } from './chart-tools.tsx';
import { keyStep } from './keys.ts';
import { Legend } from './legend.tsx';
import { type ChartProps, textOf } from './series.ts';
import { usePlot } from './use-plot.ts';
import { isWhole, type Limits, showing, type Window, zoomed } from './window.ts';
import { chartWords as t } from './words.ts';
import './chart.css';

export type { ChartProps, ChartSeries, ColourName } from './series.ts';

/**
 * Values over time: by eye, by keyboard, read aloud, as a table and as a file.
 * x and series are drawn anew when they are other objects, so keep them while nothing changes.
 */
export function Chart(props: ChartProps) {
  const { label, x, series, format, timeZone, sides, markers = [], formatX = dateAndTime, onZoom } = props;
  const id = useId();
  const hidden = useSignal<ReadonlySet<string>>(new Set());
  const pointed = useSignal<number | undefined>(undefined);
  const said = useSignal('');
  const limits = limitsOf(props);
  const seen = useSignal<Window>(limits.whole);
  const { host, plot, problem } = usePlot({ props, limits, hidden, pointed, seen });
  const go = (next: Window): void => {
    plot.current?.show(next);
    seen.value = next;
    onZoom?.(next.from, next.to);
  };
  const hiddenNow = hidden.value;
  const say = (index: number): void => {
    const values = series
      .filter(({ name }) => !hidden.peek().has(name))
      .map((each) => `${each.name} ${textOf(each, index, format) ?? t('nothing')}`);
    said.value = `${formatX(x[index]!, timeZone)}: ${values.join(', ')}`;
  };

  const press = (event: KeyboardEvent): void => {
    const step = keyStep(event, { x, pointed: pointed.peek(), seen: seen.peek(), limits });
    if (!step) return;
    event.preventDefault();
    if (step.seen) go(step.seen);
    if (step.index === undefined) return;
    go(showing(seen.peek(), x[step.index]!, limits));
    pointed.value = step.index;
    plot.current?.point(x[step.index]!);
    say(step.index);
  };

  const zoomBy = (factor: number): void => {
    const middle = (seen.value.from + seen.value.to) / 2;
    go(zoomed(seen.value, factor, middle, limits));
  };

  return (
    <figure class="chart">
      <ChartTools
        timeOf={() => {
          const at = pointed.value === undefined ? undefined : x[pointed.value];
          return at === undefined ? undefined : formatX(at, timeZone);
        }}
        isWhole={isWhole(seen.value, limits)}
        onZoom={zoomBy}
        onWhole={() => go(limits.whole)}
      />
      {problem.value !== undefined && <Failed problem={problem.value} />}
      <div
        class="chart-plot"
        ref={host}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application is operated by keys
        tabIndex={0}
        aria-label={label}
        aria-describedby={`${id}-hint`}
        onKeyDown={press}
        style={{ minHeight: `${props.height ?? 280}px` }}
      />
      <p class="hidden" id={`${id}-hint`}>
        {t('hint')} {sides && t('sides', sides)}{' '}
        {markers.map((marker) => t('marked', { label: marker.label, time: formatX(marker.atMs, timeZone) })).join(' ')}
      </p>
      <p class="hidden" aria-live="polite">
        {said}
      </p>
      <Legend {...{ label, series, format, hidden, pointed }} />
      <ChartTable {...props} series={series.filter(({ name }) => !hiddenNow.has(name))} seen={seen.value} />
    </figure>
  );
}

function limitsOf({ x, range, stepMs = 0 }: ChartProps): Limits {
  const [from, to] = range ?? [x[0] ?? 0, (x.at(-1) ?? 0) + stepMs];
  const usualMs = stepMs || (to - from) / Math.max(1, x.length);
  return { whole: { from, to: Math.max(to, from + 1000) }, leastMs: Math.max(1000, Math.min(to - from, usualMs * 4)) };
}
