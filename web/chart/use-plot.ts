import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { language } from '../parts/text.ts';
import type { Plot } from './plot.ts';
import type { ChartProps } from './series.ts';
import type { Viewport, ViewportLimits } from './viewport.ts';

type PlotInput = {
  props: ChartProps;
  limits: ViewportLimits;
  hidden: ReadonlySignal<ReadonlySet<string>>;
  /** set by pointer and gestures */
  pointed: Signal<number | undefined>;
  seen: Signal<Viewport>;
};

/** Draws a chart into its element. Loads the plotting code on first use and creates the plot again for other series. */
export function usePlot({ props, limits, hidden, pointed, seen }: PlotInput) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | undefined>(undefined);
  const problem = useSignal<unknown>(undefined);
  const latest = useRef({ props, limits });
  latest.current = { props, limits };

  const { from, to } = limits.whole;
  useEffect(() => {
    seen.value = { from, to };
    plot.current?.show({ from, to });
  }, [from, to]);

  const styles = props.series.map(({ values, summary, ...style }) => style);
  const structure = JSON.stringify([styles, props.timeZone, props.sides, language.value]);
  useEffect(() => {
    let isLeft = false;
    import('./plot.ts').then(
      ({ createPlot }) => {
        if (isLeft || !host.current) return;
        plot.current = createPlot(host.current, {
          props: latest.current.props,
          hidden: hidden.peek(),
          seen: seen.peek(),
          limits: () => latest.current.limits,
          onPoint: (index) => (pointed.value = index),
          onShow: (next) => {
            seen.value = next;
            latest.current.props.onZoom?.(next.from, next.to);
          },
        });
      },
      (error: unknown) => (problem.value = error),
    );
    return () => {
      isLeft = true;
      plot.current?.close();
      plot.current = undefined;
    };
  }, [structure]);

  const { x, series, markers } = props;
  const hiddenNow = hidden.value;
  useEffect(() => plot.current?.draw(latest.current.props, hiddenNow), [x, series, markers, hiddenNow]);
  return { host, plot, problem };
}
