import { median } from '../measure/median.ts';

/** How fast a value grows: the median of what every two points tell, so that a few that stand out do not count. */
export function slopePerHour(points: readonly { minute: number; value: number }[]): number {
  const slopes = points.flatMap((one, index) =>
    points.slice(index + 1).map((other) => (other.value - one.value) / (other.minute - one.minute)),
  );
  return 60 * median(slopes);
}
