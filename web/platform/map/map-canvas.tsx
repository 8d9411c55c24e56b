import { effect, type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { theme } from '../../parts/appearance.tsx';
import { texts } from '../../parts/text.ts';
import { cellAt, type DrawnCell } from './cells.ts';
import { drawMap, landPaths } from './draw-map.ts';
import { fitView, type MapView, pan, zoom } from './projection.ts';

const t = texts({
  map: [
    'Map of cells. Use the arrow keys to pan, plus and minus to zoom, and N and P to move between cells.',
    'Karta över rutor. Panorera med piltangenterna, zooma med plus och minus och byt ruta med N och P.',
  ],
  nearer: ['Zoom in', 'Zooma in'],
  further: ['Zoom out', 'Zooma ut'],
  all: ['All cells', 'Alla rutor'],
});

const panStep = 60; // pixels per arrow key
const zoomFactor = 1.5;
const land = landPaths();

type MapProps = { cells: readonly DrawnCell[]; chosen: Signal<string | undefined> };

export function MapCanvas({ cells, chosen }: MapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useSignal<MapView | undefined>(undefined);
  const fit = (): void => {
    if (!canvas.current) return;
    const { clientWidth, clientHeight } = canvas.current;
    view.value = fitView(
      cells.map(({ middle }) => middle),
      clientWidth,
      clientHeight,
    );
  };

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    if (!view.peek()) fit();
    let waiting = 0;
    const draw = (): void => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => {
        const current = view.peek();
        if (current) drawMap(element, { land, cells, view: current, chosen: chosen.peek() });
      });
    };
    const stop = effect(() => {
      void [view.value, chosen.value, theme.value];
      draw();
    });
    const sizes = new ResizeObserver(draw);
    sizes.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      cancelAnimationFrame(waiting);
      stop();
      sizes.disconnect();
      scheme.removeEventListener('change', draw);
    };
  }, [cells]);

  const change = (next: (view: MapView) => MapView): void => {
    if (view.value) view.value = next(view.value);
  };
  usePointers(canvas, change, (dx, dy) => {
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
  const keys: Record<string, () => void> = {
    ArrowLeft: () => change((v) => pan(v, panStep, 0)),
    ArrowRight: () => change((v) => pan(v, -panStep, 0)),
    ArrowUp: () => change((v) => pan(v, 0, panStep)),
    ArrowDown: () => change((v) => pan(v, 0, -panStep)),
    '+': () => change((v) => zoom(v, zoomFactor)),
    '-': () => change((v) => zoom(v, 1 / zoomFactor)),
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
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (!act) return;
          event.preventDefault();
          act();
        }}
      />
      <div class="map-buttons">
        <button type="button" aria-label={t('nearer')} onClick={() => change((v) => zoom(v, zoomFactor))}>
          +
        </button>
        <button type="button" aria-label={t('further')} onClick={() => change((v) => zoom(v, 1 / zoomFactor))}>
          −
        </button>
        <button type="button" onClick={fit}>
          {t('all')}
        </button>
      </div>
    </div>
  );
}

type Change = (next: (view: MapView) => MapView) => void;

/** Drag to pan, wheel or pinch to zoom, tap to select. Offsets are from the centre. */
function usePointers(
  canvas: { current: HTMLCanvasElement | null },
  change: Change,
  onTap: (dx: number, dy: number) => void,
): void {
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const pointers = new Map<number, PointerEvent>();
    let travelled = 0;
    const fromMiddle = ({ clientX, clientY }: MouseEvent): [number, number] => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [clientX - left - width / 2, clientY - top - height / 2];
    };
    const spread = (): number => {
      const [a, b] = [...pointers.values()];
      return a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0;
    };
    const stopping = new AbortController();
    const { signal } = stopping;
    element.addEventListener(
      'pointerdown',
      (event) => {
        element.setPointerCapture(event.pointerId);
        pointers.set(event.pointerId, event);
        travelled = 0;
      },
      { signal },
    );
    element.addEventListener(
      'pointermove',
      (event) => {
        const before = pointers.get(event.pointerId);
        if (!before) return;
        const wide = spread();
        pointers.set(event.pointerId, event);
        const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
        travelled += Math.abs(dx) + Math.abs(dy);
        if (pointers.size === 1) change((v) => pan(v, dx, dy));
        else if (wide > 0) change((v) => zoom(pan(v, dx / 2, dy / 2), spread() / wide));
      },
      { signal },
    );
    const release = (event: PointerEvent): void => {
      const isTap = event.type === 'pointerup' && pointers.size === 1 && travelled < 6;
      pointers.delete(event.pointerId);
      if (isTap) onTap(...fromMiddle(event));
    };
    element.addEventListener('pointerup', release, { signal });
    element.addEventListener('pointercancel', release, { signal });
    element.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        change((v) => zoom(v, Math.exp(-event.deltaY * 0.0015), ...fromMiddle(event)));
      },
      { signal, passive: false },
    );
    return () => stopping.abort();
  });
}
