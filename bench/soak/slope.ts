/** How fast a value grows, by the line that fits its points best. */
export function slopePerHour(points: readonly { minute: number; value: number }[]): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [minute, value] = [mean(points.map((point) => point.minute)), mean(points.map((point) => point.value))];
  const spread = points.reduce((sum, point) => sum + (point.minute - minute) ** 2, 0);
  const common = points.reduce((sum, point) => sum + (point.minute - minute) * (point.value - value), 0);
  return (60 * common) / spread;
}
