import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { timeAxis, valueAxis, valueRange } from './axes.ts';
import { type Colours, createColours, onSchemeChange } from './colours.ts';
import { followGestures } from './gestures.ts';
import { lonePoints, paintOrder, type Rows, rowAt, rowsOf, stackedHeights } from './rows.ts';
import { type ChartProps, type ChartSeries, chartHeight } from './series.ts';
import { isDense, pathsOf } from './shapes.ts';
import type { Viewport, ViewportLimits } from './viewport.ts';

const insetPx = 6;
const haloPx = 4; // keeps text readable over any colour

/** Draws the zero line, the names of its sides and the markers on top of the series. */
function drawMarks(plot: uPlot, { sides, markers = [] }: ChartProps, colours: Colours, font: string): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const scale = plot.series[1]?.scale ?? '';
  const { min = 0, max = 0 } = plot.scales[scale] ?? {};
  ctx.save();
  ctx.font = font.replace(/[\d.]+px/, (size) => `${Number.parseFloat(size) * ratio}px`);
  ctx.lineWidth = ratio;
  ctx.strokeStyle = ctx.fillStyle = colours.of('ink-soft');
  const write = (text: string, x: number, y: number): void => {
    ctx.save();
    ctx.setLineDash([]);
    ctx.lineJoin = 'round';
    ctx.lineWidth = haloPx * ratio;
    ctx.strokeStyle = colours.of('surface');
    ctx.fillStyle = colours.of('ink');
    ctx.strokeText(text, x, y);
    ctx.fillText(text, x, y);
    ctx.restore();
  };

  if (min < 0 && max > 0) line(ctx, bbox.left, plot.valToPos(0, scale, true), bbox.width, 0);
  if (sides) {
    ctx.textAlign = 'left';
    ctx.textBaseline = 'top';
    if (max > 0) write(`↑ ${sides.up}`, bbox.left + insetPx * ratio, bbox.top + insetPx * ratio);
    ctx.textBaseline = 'bottom';
    const bottom = bbox.top + bbox.height - insetPx * ratio;
    if (min < 0) write(`↓ ${sides.down}`, bbox.left + insetPx * ratio, bottom);
  }

  ctx.textBaseline = 'top';
  ctx.setLineDash([4 * ratio, 3 * ratio]);
  for (const { atMs, label } of markers) {
    const left = plot.valToPos(atMs, 'x', true);
    if (left < bbox.left || left > bbox.left + bbox.width) continue;
    line(ctx, left, bbox.top, 0, bbox.height);
    const isAtEnd = left + ctx.measureText(label).width + insetPx * ratio > bbox.left + bbox.width;
    ctx.textAlign = isAtEnd ? 'right' : 'left';
    const inset = insetPx * ratio * (isAtEnd ? -1 : 1);
    write(label, left + inset, bbox.top + insetPx * ratio);
  }
  ctx.restore();
}

function line(ctx: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
  ctx.beginPath();
  ctx.moveTo(Math.round(x) + 0.5, Math.round(y) + 0.5);
  ctx.lineTo(Math.round(x + width) + 0.5, Math.round(y + height) + 0.5);
  ctx.stroke();
}

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

  const endOf = (row: number): number => rows.x[row + 1] ?? props.endMs ?? limits().whole.to;

  const styleOf = (each: ChartSeries): uPlot.Series => {
    const { kind, stack, colour, dashed, unit } = each;
    const isFilled = kind === 'area' || kind === 'bars';
    return {
      scale: unit,
      paths: pathsOf(each, endOf),
      width: kind === 'bars' ? 0 : stack ? 1 : 1.75,
      stroke: (drawn) => colours.of(stack && !isDense(drawn) ? 'surface' : colour),
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
