import { useId } from 'preact/hooks';
import { usePlot } from './use-plot.ts';
import './chart.css';
import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { Button } from '../parts/action.tsx';
import { download } from '../parts/download.ts';
import { Failed, Table } from '../parts/layout.tsx';
import { dateAndTime, number, texts } from '../parts/text.ts';
import { firstWhere } from './rows.ts';
import { type ChartData, type ChartProps, chartHeight, csvOf, textOf } from './series.ts';
import { isWhole, keyStep, showing, type Viewport, type ViewportLimits, zoomed } from './viewport.ts';

export type { ChartProps, ChartSeries, ColourName } from './series.ts';

const t = texts({
  hint: 'Use the left and right arrow keys to read the values, plus and minus to zoom, and 0 to show the whole period.',
  use: 'Drag to zoom in.',
  move: 'Drag to move.',
  whole: 'Show all',
  sides: 'Above zero: {up}. Below zero: {down}.',
  marked: 'Marked: {label}, {time}.',
  series: 'Series in {label}',
  nothing: 'value|not measured',
  tableOf: '{label}, as a table',
  csv: 'Download CSV',
  first: 'Showing the first {shown} of {all} rows. The CSV file contains all of them.',
});

/**
 * Shows values over time: as a chart that pointer and keyboard control, as a table, and as a CSV file.
 * Passing another `x` or `series` object draws the chart again, so keep the objects while nothing changes.
 */
export function Chart(props: ChartProps) {
  const { label, x, series, format, timeZone, sides, markers = [], formatX = dateAndTime, onZoom } = props;
  const id = useId();
  const hidden = useSignal<ReadonlySet<string>>(new Set());
  const pointed = useSignal<number | undefined>(undefined);
  const announcement = useSignal('');
  const limits = limitsOf(props);
  const seen = useSignal<Viewport>(limits.whole);
  const { host, plot, problem } = usePlot({ props, limits, hidden, pointed, seen });
  const go = (next: Viewport): void => {
    plot.current?.show(next);
    seen.value = next;
    onZoom?.(next.from, next.to);
  };
  const hiddenNow = hidden.value;
  const announce = (index: number, at: number): void => {
    const values = series
      .filter(({ name }) => !hidden.peek().has(name))
      .map((each) => `${each.name} ${textOf(each, index, format) ?? t('nothing')}`);
    announcement.value = `${formatX(at, timeZone)}: ${values.join(', ')}`;
  };

  const press = (event: KeyboardEvent): void => {
    const step = keyStep(event, { x, pointed: pointed.peek(), seen: seen.peek(), limits });
    if (!step) return;
    event.preventDefault();
    if (step.seen) go(step.seen);
    const at = step.index === undefined ? undefined : x[step.index];
    if (step.index === undefined || at === undefined) return;
    go(showing(seen.peek(), at, limits));
    pointed.value = step.index;
    plot.current?.point(at);
    announce(step.index, at);
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
        style={{ minHeight: `${chartHeight}px` }}
      />
      <p class="hidden" id={`${id}-hint`}>
        {t('hint')} {sides && t('sides', sides)}{' '}
        {markers.map((marker) => t('marked', { label: marker.label, time: formatX(marker.atMs, timeZone) })).join(' ')}
      </p>
      <p class="hidden" aria-live="polite">
        {announcement}
      </p>
      <Legend {...{ label, series, format, hidden, pointed }} />
      <ChartTable {...props} series={series.filter(({ name }) => !hiddenNow.has(name))} seen={seen.value} />
    </figure>
  );
}

function limitsOf({ x, range: [from, to], stepMs = 0 }: ChartProps): ViewportLimits {
  const distanceMs = stepMs || (to - from) / Math.max(1, x.length);
  return { whole: { from, to: Math.max(to, from + 1000) }, minMs: Math.max(1000, Math.min(to - from, distanceMs * 4)) };
}

type ToolsProps = {
  /** Reads a signal, so that only the tools are rendered again. */
  timeOf(): string | undefined;
  isWhole: boolean;
  onZoom(factor: number): void;
  onWhole(): void;
};

function ChartTools({ timeOf, isWhole, onZoom, onWhole }: ToolsProps) {
  return (
    <div class="chart-tools">
      <span class="says number">{timeOf() ?? t(isWhole ? 'use' : 'move')}</span>
      <span class="actions">
        {!isWhole && <Button label={t('whole')} tone="quiet" onClick={onWhole} />}
        <Button label="−" tone="quiet" ariaLabel={t('zoomOut')} isDisabled={isWhole} onClick={() => onZoom(2)} />
        <Button label="+" tone="quiet" ariaLabel={t('zoomIn')} onClick={() => onZoom(0.5)} />
      </span>
    </div>
  );
}

type LegendProps = Pick<ChartData, 'label' | 'series' | 'format'> & {
  hidden: Signal<ReadonlySet<string>>;
  pointed: ReadonlySignal<number | undefined>;
};

/** Lists the series with their sum or unit, or the value under the pointer. A click hides a series. */
function Legend({ label, series, format, hidden, pointed }: LegendProps) {
  const toggle = (name: string): void => {
    const next = new Set(hidden.value);
    if (!next.delete(name)) next.add(name);
    hidden.value = next;
  };
  return (
    <ul class="chart-legend" aria-label={t('series', { label })}>
      {series.map((each) => {
        const { name, unit, summary = unit, colour, kind, dashed } = each;
        return (
          <li key={name}>
            <button type="button" aria-pressed={!hidden.value.has(name)} onClick={() => toggle(name)}>
              <span
                class={`swatch ${kind}${dashed ? ' dashed' : ''}`}
                style={{ '--swatch': `var(--${colour})` }}
                aria-hidden="true"
              />
              <span class="name">{name}</span>
              <span class="value number">
                {pointed.value === undefined ? summary : (textOf(each, pointed.value, format) ?? '–')}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const maxRows = 300; // more than anyone reads, and still fast to show

type TableProps = ChartData & Pick<ChartProps, 'sides'> & { seen: Viewport };

/** Shows the visible values as a table, and saves them as a CSV file. */
function ChartTable({ label, x, series, format, formatX, timeZone, sides, seen }: TableProps) {
  const isOpen = useSignal(false);
  const first = firstWhere(x, (at) => at >= seen.from);
  const end = firstWhere(x, (at) => at >= seen.to);
  const save = (): void => {
    const part = series.map((each) => ({ ...each, values: each.values.slice(first, end) }));
    download(`${fileName(label)}.csv`, csvOf(x.slice(first, end), part, sides), 'text/csv');
  };
  const shown = Math.min(end - first, maxRows);
  return (
    <details
      class="chart-table"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>{t('showAsTable')}</summary>
      {isOpen.value && (
        <>
          <div class="actions">
            <Button label={t('csv')} onClick={save} />
          </div>
          {shown < end - first && <p class="says">{t('first', { shown: number(shown), all: number(end - first) })}</p>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it */}
          <section class="chart-rows" aria-label={t('tableOf', { label })} tabIndex={0}>
            <Table
              caption={label}
              rows={x.slice(first, first + shown).map((at, i) => ({ at, row: first + i }))}
              keyOf={({ row }) => row}
              columns={[
                { title: t('time'), show: ({ at }) => (formatX ?? dateAndTime)(at, timeZone) },
                ...series.map((each) => ({
                  title: each.name,
                  isNumber: true,
                  show: ({ row }: { at: number; row: number }) => textOf(each, row, format) ?? '–',
                })),
              ]}
            />
          </section>
        </>
      )}
    </details>
  );
}

const fileName = (label: string): string => label.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase();
