import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { timeAxis, valueAxis, valueRange } from './axes.ts';
import { createColours, onSchemeChange } from './colours.ts';
import { followGestures } from './gestures.ts';
import { drawMarks } from './marks.ts';
import { lonePoints, paintOrder, type Rows, rowAt, rowsOf, stackedHeights } from './rows.ts';
import { type ChartProps, type ChartSeries, chartHeight } from './series.ts';
import { pathsOf } from './shapes.ts';
import type { Viewport, ViewportLimits } from './viewport.ts';

export type Plot = ReturnType<typeof createPlot>;

type PlotOptions = {
  props: ChartProps;
  hidden: ReadonlySet<string>;
  seen: Viewport;
  limits(): ViewportLimits;
  /** Called with the index of the x under the pointer. */
  onPoint(index: number | undefined): void;
  /** Called with the visible part when a gesture ends. */
  onShow(seen: Viewport): void;
};

/** Draws a chart into an element, in the full width of that element. */
export function createPlot(host: HTMLElement, { limits, onPoint, onShow, ...start }: PlotOptions) {
  let { props, hidden, seen } = start;
  let rows: Rows = { x: [], columns: [], sources: [] };
  let lone: (number[] | null)[] = [];
  let isMoving = false;
  const { series } = props;
  const order = paintOrder(series);
  const painted = order.flatMap((index) => series[index] ?? []);
  const units = [...new Set(series.map(({ unit }) => unit))];
  const isSpan = series.every(({ kind }) => kind === 'bars');
  const colours = createColours(host);
  const font = `12px ${getComputedStyle(host).fontFamily}`;
  const options = { ...props, colours, font, isMirrored: props.sides !== undefined };

  const endOf = (row: number): number => rows.x[row + 1] ?? limits().whole.to;

  const styleOf = (each: ChartSeries): uPlot.Series => {
    const { kind, stack, colour, dashed, unit } = each;
    const isFilled = kind === 'area' || kind === 'bars';
    return {
      scale: unit,
      paths: pathsOf(each, endOf),
      width: kind === 'bars' ? 0 : stack ? 1 : 1.75,
      stroke: () => colours.of(stack ? 'surface' : colour),
      ...(isFilled && { fill: () => (kind === 'area' && !stack ? colours.faint(colour) : colours.of(colour)) }),
      ...(dashed && { dash: [6, 4] }),
      points: { show: false, filter: (_plot, i) => lone[i - 1] ?? null, size: 4, fill: () => colours.of(colour) },
    };
  };

  // Value axes keep their range during a gesture.
  const scaleOf = (unit: string): uPlot.Scale => {
    const kinds = series.filter((each) => each.unit === unit).map(({ kind }) => kind);
    return { auto: () => !isMoving, range: (_plot, min, max) => valueRange(min, max, unit, kinds) };
  };

  const plot = new uPlot(
    {
      width: host.clientWidth,
      height: chartHeight,
      ms: 1,
      legend: { show: false },
      padding: [8, units.length > 1 ? 0 : 24, 0, 0], // half the width of the last time label
      cursor: {
        y: false,
        drag: { x: false, y: false, setScale: false },
        bind: { mousedown: () => null, mouseup: () => null, dblclick: () => null }, // gestures.ts handles them
        points: { show: !isSpan, size: 7, fill: (_plot, i) => colours.of(painted[i - 1]?.colour ?? 'ink') },
      },
      series: [{}, ...painted.map(styleOf)],
      scales: {
        x: { time: false, range: () => [seen.from, seen.to] },
        ...Object.fromEntries(units.map((unit) => [unit, scaleOf(unit)])),
      },
      axes: [timeAxis(options), ...units.slice(0, 2).map((unit, index) => valueAxis(unit, index, options))],
      hooks: {
        setCursor: [
          ({ cursor, posToVal }) => {
            const { left = -1 } = cursor;
            const row = left < 0 ? undefined : rowAt(rows.x, posToVal(left, 'x'), isSpan);
            onPoint(row === undefined ? undefined : rows.sources[row]);
          },
        ],
        draw: [(drawn) => drawMarks(drawn, props, colours, font)],
      },
    },
    [[], ...painted.map(() => [])],
    host,
  );

  const show = (next: Viewport): void => {
    seen = next;
    plot.setScale('x', { min: seen.from, max: seen.to });
  };

  /** Draws new data of the series that the plot was created with. */
  const draw = (nextProps: ChartProps, nextHidden: ReadonlySet<string>): void => {
    [props, hidden] = [nextProps, nextHidden];
    const heights = stackedHeights(props.series, (name) => hidden.has(name));
    rows = rowsOf(
      props.x,
      order.map((i) => heights[i] ?? []),
      props.stepMs,
    );
    lone = rows.columns.map(lonePoints);
    plot.setData([rows.x, ...rows.columns], false);
    show(seen);
  };

  const stopGestures = followGestures(plot, {
    seen: () => seen,
    limits,
    show: (next, moving) => {
      isMoving = moving;
      show(next);
      if (!moving) onShow(next);
    },
  });
  const stopColours = onSchemeChange(() => {
    colours.refresh();
    plot.redraw(false, true);
  });
  const sizes = new ResizeObserver(() => {
    if (host.clientWidth > 0 && host.clientWidth !== plot.width)
      plot.setSize({ width: host.clientWidth, height: chartHeight });
  });
  sizes.observe(host);
  draw(props, hidden);

  return {
    draw,
    show,
    point: (ms: number): void =>
      plot.setCursor({ left: plot.valToPos(ms, 'x'), top: plot.bbox.height / devicePixelRatio / 2 }),
    close(): void {
      sizes.disconnect();
      stopGestures();
      stopColours();
      plot.destroy();
      host.replaceChildren();
    },
  };
}
