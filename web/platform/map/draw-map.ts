import packed from 'virtual:coastlines';
import type { DrawnCell } from './cells.ts';
import { type MapView, project, toScreen, type WorldPoint } from './projection.ts';

const worldSize = 1000; // Path2D has single precision: not too small, not too large

/** Returns the countries as paths on a world of `worldSize`. */
export function landPaths(): { paths: Path2D[]; worldSize: number } {
  const lines = packed.lines.map(decodeLine);
  const paths = packed.rings.map((ring) => {
    const path = new Path2D();
    for (const index of ring) {
      const line = lines[index < 0 ? ~index : index] ?? [];
      for (const { x, y } of index < 0 ? line.toReversed() : line) path.lineTo(x * worldSize, y * worldSize);
    }
    path.closePath();
    return path;
  });
  return { paths, worldSize };
}

function decodeLine(steps: readonly number[]): WorldPoint[] {
  let x = 0;
  let y = 0;
  return steps.flatMap((step, i) => {
    if (i % 2 === 0) x += step;
    else y += step;
    return i % 2 === 0 ? [] : [project(y / packed.digits, x / packed.digits)];
  });
}

type Drawing = {
  land: { paths: readonly Path2D[]; worldSize: number };
  cells: readonly DrawnCell[];
  view: MapView;
  chosen: string | undefined;
};

const minRadius = 7; // of cells that are too small to see

/** Redraws the whole map; a few thousand lines take less than a frame. */
export function drawMap(canvas: HTMLCanvasElement, { land, cells, view, chosen }: Drawing): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  const parent = canvas.parentElement;
  if (!context || !parent) return;
  const colour = (token: string): string => tokenColour(token, parent);

  context.fillStyle = colour('water');
  context.fillRect(0, 0, canvas.width, canvas.height);

  const scale = view.size / land.worldSize;
  context.scale(ratio, ratio);
  context.translate(width / 2 - view.x * view.size, height / 2 - view.y * view.size);
  context.scale(scale, scale);
  context.fillStyle = colour('surface');
  context.strokeStyle = colour('line');
  context.lineWidth = 1 / scale;
  for (const path of land.paths) {
    context.fill(path);
    context.stroke(path);
  }

  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const most = Math.max(...cells.map(({ site_count }) => site_count), 1);
  const fill = colour('accent');
  const edge = colour('ink');
  for (const cell of cells) {
    const corners = cell.corners.map((corner) => toScreen(corner, view, width, height));
    const isChosen = cell.h3_index === chosen;
    context.beginPath();
    const [corner, , , opposite] = corners;
    if (!corner || !opposite) continue;
    if (Math.abs(corner.x - opposite.x) + Math.abs(corner.y - opposite.y) < minRadius * 2) {
      const { x, y } = toScreen(cell.middle, view, width, height);
      context.arc(x, y, minRadius, 0, Math.PI * 2);
    } else {
      for (const { x, y } of corners) context.lineTo(x, y);
      context.closePath();
    }
    context.globalAlpha = 0.35 + 0.5 * Math.sqrt(cell.site_count / most);
    context.fillStyle = fill;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = isChosen ? 3 : 1;
    context.strokeStyle = isChosen ? edge : fill;
    context.stroke();
  }
}

/** Returns the colour of a token in a form that a canvas accepts. */
function tokenColour(name: string, within: Element = document.body): string {
  const probe = document.createElement('span');
  probe.hidden = true;
  probe.style.color = `var(--${name})`;
  within.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
