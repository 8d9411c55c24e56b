import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { timeAxis, valueAxis } from './axes.ts';
import { createColours, onSchemeChange } from './colours.ts';
import { followGestures } from './gestures.ts';
import { drawMarks } from './marks.ts';
import { lonePoints, type Rows, rowAt, rowsOf } from './rows.ts';
import type { ChartProps } from './series.ts';
import { pathsOf } from './shapes.ts';
import { heightsOf, paintOrder } from './stack.ts';
import { valueRange } from './value-range.ts';
import type { Limits, Window } from './window.ts';

export type PlotEvents = {
  /** the x that is pointed at, as its place in the data */
  onPoint(index: number | undefined): void;
  /** what is seen now, told when it has come to rest */
  onShow(seen: Window): void;
};

export type Plot = {
  /** Takes new data; the series must be those it was made with. */
  draw(props: ChartProps, hidden: ReadonlySet<string>): void;
  show(seen: Window): void;
  point(ms: number): void;
  close(): void;
};

export type PlotStart = { props: ChartProps; hidden: ReadonlySet<string>; limits(): Limits; seen: Window };

const usualHeight = 280;

/** Draws a chart into an element, as wide as that is. */
export function createPlot(host: HTMLElement, start: PlotStart, { onPoint, onShow }: PlotEvents): Plot {
  let { props, hidden, seen } = start;
  let rows: Rows = { x: [], columns: [], sources: [] };
  let lone: (number[] | null)[] = [];
  let isMoving = false;
  const { series } = props;
  const order = paintOrder(series);
  const units = [...new Set(series.map(({ unit }) => unit))];
  const isSpan = series.every(({ kind }) => kind === 'step' || kind === 'bars');
  const colours = createColours(host);
  const font = `12px ${getComputedStyle(host).fontFamily}`;
  const height = props.height ?? usualHeight;
  const given = { ...props, colours, font, isMirrored: props.sides !== undefined };

  const endOf = (row: number): number => {
    const at = rows.x[row]!;
    const { stepMs = Number.POSITIVE_INFINITY } = props;
    return Math.min(at + stepMs, rows.x[row + 1] ?? start.limits().whole.to);
  };

  const lookOf = (index: number): uPlot.Series => {
    const each = series[index]!;
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

  // An axis stays as it is while something is dragged.
  const scaleOf = (unit: string): uPlot.Scale => {
    const kinds = series.filter((each) => each.unit === unit).map(({ kind }) => kind);
    return { auto: () => !isMoving, range: (_plot, least, most) => valueRange(least, most, unit, kinds) };
  };

  const plot = new uPlot(
    {
      width: host.clientWidth,
      height,
      ms: 1,
      legend: { show: false },
      padding: [8, units.length > 1 ? 0 : 24, 0, 0], // half of the last time of the axis
      cursor: {
        y: false,
        drag: { x: false, y: false, setScale: false },
        bind: { mousedown: () => null, mouseup: () => null, dblclick: () => null }, // gestures are ours
        points: { show: !isSpan, size: 7, fill: (_plot, i) => colours.of(series[order[i - 1]!]!.colour) },
      },
      series: [{}, ...order.map(lookOf)],
      scales: {
        x: { time: false, range: () => [seen.from, seen.to] },
        ...Object.fromEntries(units.map((unit) => [unit, scaleOf(unit)])),
      },
      axes: [timeAxis(given), ...units.slice(0, 2).map((unit, place) => valueAxis(unit, place, given))],
      hooks: {
        setCursor: [
          ({ cursor, posToVal }) => {
            const isOff = cursor.left === undefined || cursor.left < 0;
            const row = isOff ? undefined : rowAt(rows.x, posToVal(cursor.left!, 'x'), isSpan);
            onPoint(row === undefined ? undefined : rows.sources[row]);
          },
        ],
        draw: [(drawn) => drawMarks(drawn, props, colours, font)],
      },
    },
    [[], ...order.map(() => [])],
    host,
  );

  const show = (next: Window): void => {
    seen = next;
    plot.setScale('x', { min: seen.from, max: seen.to });
  };

  const draw: Plot['draw'] = (nextProps, nextHidden) => {
    [props, hidden] = [nextProps, nextHidden];
    const heights = heightsOf(props.series, (name) => hidden.has(name));
    const columns = order.map((i) => ({ values: heights[i]!, isStep: props.series[i]!.kind === 'step' }));
    rows = rowsOf(props.x, columns, props.stepMs);
    lone = rows.columns.map(lonePoints);
    plot.setData([rows.x, ...rows.columns], false);
    show(seen);
  };

  const stopGestures = followGestures(plot, {
    seen: () => seen,
    limits: start.limits,
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
    if (host.clientWidth > 0 && host.clientWidth !== plot.width) plot.setSize({ width: host.clientWidth, height });
  });
  sizes.observe(host);
  draw(props, hidden);

  return {
    draw,
    show,
    point: (ms) => plot.setCursor({ left: plot.valToPos(ms, 'x'), top: plot.bbox.height / devicePixelRatio / 2 }),
    close() {
      sizes.disconnect();
      stopGestures();
      stopColours();
      plot.destroy();
      host.replaceChildren();
    },
  };
}
