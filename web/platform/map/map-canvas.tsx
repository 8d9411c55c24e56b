import packed from 'virtual:coastlines';
import { effect, type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Colours, createColours, onSchemeChange } from '../../chart/colours.ts';
import { Button } from '../../parts/action.tsx';
import { onKeys } from '../../parts/pointing.ts';
import { texts } from '../../parts/text.ts';
import { cellAt, type DrawnCell } from './cells.ts';
import { places } from './places.ts';
import { fitView, type MapView, pan, project, toScreen, type WorldPoint, zoom } from './projection.ts';

const worldSize = 1000; // Path2D has single precision: not too small, not too large

/** Returns the countries as paths on a world of `worldSize`. */
function landPaths(): Path2D[] {
  const lines = packed.lines.map(decodeLine);
  return packed.rings.map((ring) => {
    const path = new Path2D();
    for (const index of ring) {
      const line = lines[index < 0 ? ~index : index] ?? [];
      for (const { x, y } of index < 0 ? line.toReversed() : line) path.lineTo(x * worldSize, y * worldSize);
    }
    path.closePath();
    return path;
  });
}

const land = landPaths();

const projectedPlaces = places.map(({ name, tier, latitude, longitude }) => ({
  name,
  tier,
  at: project(latitude, longitude),
}));

function decodeLine(steps: readonly number[]): WorldPoint[] {
  let x = 0;
  let y = 0;
  return steps.flatMap((step, i) => {
    if (i % 2 === 0) x += step;
    else y += step;
    return i % 2 === 0 ? [] : [project(y / packed.digits, x / packed.digits)];
  });
}

type Drawing = { cells: readonly DrawnCell[]; view: MapView; chosen: string | undefined; colours: Colours };

const minRadius = 7; // of cells that are too small to see

/** Redraws the whole map; a few thousand lines take less than a frame. */
function drawMap(canvas: HTMLCanvasElement, { cells, view, chosen, colours }: Drawing): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  if (!context) return;

  context.fillStyle = colours.of('water');
  context.fillRect(0, 0, canvas.width, canvas.height);

  const scale = view.size / worldSize;
  context.scale(ratio, ratio);
  context.translate(width / 2 - view.x * view.size, height / 2 - view.y * view.size);
  context.scale(scale, scale);
  context.fillStyle = colours.of('surface');
  context.strokeStyle = colours.of('line');
  context.lineWidth = 1 / scale;
  for (const path of land) {
    context.fill(path);
    context.stroke(path);
  }

  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const most = Math.max(...cells.map(({ site_count }) => site_count), 1);
  const fill = colours.of('accent');
  const edge = colours.of('ink');
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
  drawPlaces(context, view, width, height, colours);
}

// The width of the world in pixels from which the places of each tier are named.
const tierSizes = [0, 9000, 40_000] as const;
const labelHeight = 16;
const labelMargin = 4;

/** Names the places in view, the important ones first, where nothing else is drawn. */
function drawPlaces(context: CanvasRenderingContext2D, view: MapView, width: number, height: number, colours: Colours) {
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = colours.of('surface');
  context.fillStyle = colours.of('ink');
  const drawn: { x: number; y: number; width: number }[] = [];
  for (const { name, tier, at } of projectedPlaces) {
    if (view.size < tierSizes[tier]) break; // sorted by tier
    const { x, y } = toScreen(at, view, width, height);
    if (x < 0 || x > width || y < 0 || y > height) continue;
    const label = { x: x + labelMargin + 2, y, width: context.measureText(name).width + labelMargin };
    const isFree = drawn.every(
      (other) =>
        label.x > other.x + other.width || other.x > label.x + label.width || Math.abs(label.y - other.y) > labelHeight,
    );
    if (!isFree) continue;
    drawn.push(label);
    context.beginPath();
    context.arc(x, y, 2, 0, Math.PI * 2);
    context.fill();
    context.strokeText(name, label.x, label.y);
    context.fillText(name, label.x, label.y);
  }
}

const t = texts({
  map: 'Map of cells. Use the arrow keys to pan, plus and minus to zoom, and N and P to move between cells.',
  all: 'All cells',
});

const panStep = 60; // pixels per arrow key
const zoomFactor = 1.5;
type MapProps = { cells: readonly DrawnCell[]; chosen: Signal<string | undefined> };

export function MapCanvas({ cells, chosen }: MapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useSignal<MapView>();
  const fit = (): void => {
    const middles = cells.map(({ middle }) => middle);
    if (canvas.current) view.value = fitView(middles, canvas.current.clientWidth, canvas.current.clientHeight);
  };

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    if (!view.peek()) fit();
    const colours = createColours(element);
    let waiting = 0;
    const draw = (): void => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => {
        const current = view.peek();
        if (current) drawMap(element, { cells, view: current, chosen: chosen.peek(), colours });
      });
    };
    const stopDrawing = effect(() => {
      void [view.value, chosen.value];
      draw();
    });
    const sizes = new ResizeObserver(draw);
    sizes.observe(element);
    const stopColours = onSchemeChange(() => {
      colours.refresh();
      draw();
    });
    return () => {
      cancelAnimationFrame(waiting);
      stopDrawing();
      stopColours();
      sizes.disconnect();
      element.replaceChildren();
    };
  }, [cells]);

  const change = (next: (view: MapView) => MapView): void => {
    if (view.value) view.value = next(view.value);
  };
  const pointers = usePointers(change, (dx, dy) => {
    if (!view.value) return;
    const { x, y, size } = view.value;
    chosen.value = cellAt({ x: x + dx / size, y: y + dy / size }, cells)?.h3_index;
  });

  const walk = (by: number): void => {
    const at = cells.findIndex(({ h3_index }) => h3_index === chosen.value);
    const next = cells.at((at + by) % cells.length);
    if (!next) return;
    chosen.value = next.h3_index;
    change(({ size }) => ({ ...next.middle, size }));
  };
  const zoomIn = (): void => change((v) => zoom(v, zoomFactor));
  const zoomOut = (): void => change((v) => zoom(v, 1 / zoomFactor));
  const keys = {
    ArrowLeft: () => change((v) => pan(v, panStep, 0)),
    ArrowRight: () => change((v) => pan(v, -panStep, 0)),
    ArrowUp: () => change((v) => pan(v, 0, panStep)),
    ArrowDown: () => change((v) => pan(v, 0, -panStep)),
    '+': zoomIn,
    '-': zoomOut,
    n: () => walk(1),
    p: () => walk(-1),
  };
  return (
    <div class="map">
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it is moved by keys, as an application is */}
      <canvas
        ref={canvas}
        role="application"
        aria-label={t('map')}
        tabIndex={0}
        onKeyDown={onKeys(keys)}
        {...pointers}
      />
      <div class="map-buttons">
        <Button label="+" ariaLabel={t('zoomIn')} onClick={zoomIn} />
        <Button label="−" ariaLabel={t('zoomOut')} onClick={zoomOut} />
        <Button label={t('all')} onClick={fit} />
      </div>
    </div>
  );
}

type CanvasEvent<Event extends MouseEvent> = Event & { currentTarget: HTMLCanvasElement };

/** Returns the offset of an event from the centre of the canvas. */
function fromMiddle({ currentTarget, clientX, clientY }: CanvasEvent<MouseEvent>): [dx: number, dy: number] {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return [clientX - left - width / 2, clientY - top - height / 2];
}

/** Returns the props of a canvas: drag to pan, wheel or pinch to zoom, tap to select. */
function usePointers(change: (next: (view: MapView) => MapView) => void, onTap: (dx: number, dy: number) => void) {
  const pointers = useRef(new Map<number, { clientX: number; clientY: number }>()).current;
  const travelled = useRef(0);
  const spread = (): number => {
    const [a, b] = [...pointers.values()];
    return a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0;
  };
  const release = (event: CanvasEvent<PointerEvent>): void => {
    const isTap = event.type === 'pointerup' && pointers.size === 1 && travelled.current < 6;
    pointers.delete(event.pointerId);
    if (isTap) onTap(...fromMiddle(event));
  };
  return {
    onPointerDown({ currentTarget, pointerId, clientX, clientY }: CanvasEvent<PointerEvent>) {
      currentTarget.setPointerCapture(pointerId);
      pointers.set(pointerId, { clientX, clientY });
      travelled.current = 0;
    },
    onPointerMove({ pointerId, clientX, clientY }: CanvasEvent<PointerEvent>) {
      const before = pointers.get(pointerId);
      if (!before) return;
      const wide = spread();
      pointers.set(pointerId, { clientX, clientY });
      const [dx, dy] = [clientX - before.clientX, clientY - before.clientY];
      travelled.current += Math.abs(dx) + Math.abs(dy);
      if (pointers.size === 1) change((v) => pan(v, dx, dy));
      else if (wide > 0) change((v) => zoom(pan(v, dx / 2, dy / 2), spread() / wide));
    },
    onPointerUp: release,
    onPointerCancel: release,
    onWheel(event: CanvasEvent<WheelEvent>) {
      event.preventDefault();
      change((v) => zoom(v, Math.exp(-event.deltaY * 0.0015), ...fromMiddle(event)));
    },
  };
}
