import packed from 'virtual:coastlines';
import { project } from './projection.ts';

const worldSize = 1000; // paths are kept in single precision: small numbers, but not too small

/** The countries as paths on a world of `worldSize`, for a canvas to fill and to stroke. */
export function landPaths(): { paths: Path2D[]; worldSize: number } {
  const lines = packed.lines.map(placesOf);
  const paths = packed.rings.map((ring) => {
    const path = new Path2D();
    let isFirst = true;
    for (const index of ring) {
      const line = index < 0 ? lines[~index]!.toReversed() : lines[index]!;
      for (const { x, y } of line) {
        if (isFirst) path.moveTo(x * worldSize, y * worldSize);
        else path.lineTo(x * worldSize, y * worldSize);
        isFirst = false;
      }
    }
    path.closePath();
    return path;
  });
  return { paths, worldSize };
}

function placesOf(line: readonly number[]) {
  const places = [];
  let [x, y] = [0, 0];
  for (let i = 0; i < line.length; i += 2) {
    x += line[i]!;
    y += line[i + 1]!;
    places.push(project(y / packed.digits, x / packed.digits));
  }
  return places;
}
