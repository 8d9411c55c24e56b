import { median } from '../measure/median.ts';

type Point = { minute: number; value: number };

/** Returns the minimum of every minute, since work in progress only adds to it. */
export const leastOfMinutes = (points: readonly Point[]): Point[] =>
  Object.values(Object.groupBy(points, ({ minute }) => Math.floor(minute))).map((group) =>
    group!.reduce((least, point) => (point.value < least.value ? point : least)),
  );

/** Returns how fast a value grows: the median slope between any two points, which ignores outliers. */
export function slopePerHour(points: readonly Point[]): number {
  const slopes = points.flatMap((one, index) =>
    points.slice(index + 1).map((other) => (other.value - one.value) / (other.minute - one.minute)),
  );
  return 60 * median(slopes);
}
