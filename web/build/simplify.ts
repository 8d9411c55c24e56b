type Point = readonly [number, number];

/** The line without the points that are no further than `tolerance` from it (Douglas and Peucker); its ends stay. */
export function simplify(points: readonly Point[], tolerance: number): Point[] {
  if (points.length < 3) return [...points];
  const kept = new Set([0, points.length - 1]);
  const open: [number, number][] = [[0, points.length - 1]];
  for (let part = open.pop(); part; part = open.pop()) {
    const [from, to] = part;
    const furthest = furthestBetween(points, from, to);
    if (furthest.distance <= tolerance) continue;
    kept.add(furthest.index);
    open.push([from, furthest.index], [furthest.index, to]);
  }
  return points.filter((_, index) => kept.has(index));
}

function furthestBetween(points: readonly Point[], from: number, to: number): { index: number; distance: number } {
  let furthest = { index: from, distance: 0 };
  for (let index = from + 1; index < to; index++) {
    const distance = distanceTo(points[index]!, points[from]!, points[to]!);
    if (distance > furthest.distance) furthest = { index, distance };
  }
  return furthest;
}

function distanceTo([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = Math.hypot(dx, dy);
  return length === 0 ? Math.hypot(x - ax, y - ay) : Math.abs(dy * x - dx * y + bx * ay - by * ax) / length;
}
