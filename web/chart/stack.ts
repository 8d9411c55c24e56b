import type { ChartSeries, Values } from './series.ts';

/**
 * The heights at which series are drawn. Those that are stacked lie on each other, what is positive above zero and
 * what is negative below; what is hidden or absent has no height.
 */
export function heightsOf(series: readonly ChartSeries[], isHidden: (name: string) => boolean): Values[] {
  const length = series.reduce((most, { values }) => Math.max(most, values.length), 0);
  const above = new Float64Array(length);
  const below = new Float64Array(length);
  return series.map(({ name, values, stack }) => {
    if (isHidden(name)) return values.map(() => undefined);
    if (!stack) return values;
    const isOfBelow = !values.some((value) => value !== undefined && value > 0);
    return values.map((value, i) => {
      if (value === undefined) return undefined;
      const pile = value < 0 || (value === 0 && isOfBelow) ? below : above;
      pile[i]! += value;
      return pile[i];
    });
  });
}

/** Stacked series are painted from the top of the pile down, each over the one that it lies on; lines come last. */
export function paintOrder(series: readonly ChartSeries[]): number[] {
  const places = series.map((_, i) => i);
  return [...places.filter((i) => series[i]!.stack).reverse(), ...places.filter((i) => !series[i]!.stack)];
}
