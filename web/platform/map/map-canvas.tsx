import { effect, type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { theme } from '../../parts/appearance.tsx';
import { texts } from '../../parts/text.ts';
import { cellAt, type DrawnCell } from './cells.ts';
import { drawMap, landPaths } from './draw-map.ts';
import { fitted, panned, type View, zoomed } from './projection.ts';

const t = texts({
  en: {
    map: 'Map of the cells. Arrow keys move it, plus and minus zoom, N and P go to the next and the previous cell.',
    nearer: 'Nearer',
    further: 'Further away',
    all: 'All cells',
  },
  sv: {
    map: 'Karta över rutorna. Piltangenter flyttar, plus och minus zoomar, N och P går till nästa och föregående ruta.',
    nearer: 'Närmare',
    further: 'Längre bort',
    all: 'Alla rutor',
  },
});

const step = 60; // pixels of an arrow key
const nearer = 1.5;
const land = landPaths();

type MapProps = { cells: readonly DrawnCell[]; chosen: Signal<string | undefined> };

export function MapCanvas({ cells, chosen }: MapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useSignal<View | undefined>(undefined);
  const fit = (): void => {
    const { clientWidth, clientHeight } = canvas.current!;
    view.value = fitted(
      cells.map(({ middle }) => middle),
      clientWidth,
      clientHeight,
    );
  };

  useEffect(() => {
    const element = canvas.current!;
    if (!view.peek()) fit();
    let waiting = 0;
    const draw = (): void => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(
        () => view.peek() && drawMap(element, { land, cells, view: view.peek()!, chosen: chosen.peek() }),
      );
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

  const change = (next: (view: View) => View): void => {
    if (view.value) view.value = next(view.value);
  };
  usePointers(canvas, change, (dx, dy) => {
    const { x, y, size } = view.value!;
    chosen.value = cellAt({ x: x + dx / size, y: y + dy / size }, cells)?.h3_index;
  });

  const walk = (by: number): void => {
    if (cells.length === 0) return;
    const at = cells.findIndex(({ h3_index }) => h3_index === chosen.value);
    const next = cells[(at + by + cells.length) % cells.length]!;
    chosen.value = next.h3_index;
    change(({ size }) => ({ ...next.middle, size }));
  };
  const keys: Record<string, () => void> = {
    ArrowLeft: () => change((v) => panned(v, step, 0)),
    ArrowRight: () => change((v) => panned(v, -step, 0)),
    ArrowUp: () => change((v) => panned(v, 0, step)),
    ArrowDown: () => change((v) => panned(v, 0, -step)),
    '+': () => change((v) => zoomed(v, nearer)),
    '-': () => change((v) => zoomed(v, 1 / nearer)),
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
        <button type="button" aria-label={t('nearer')} onClick={() => change((v) => zoomed(v, nearer))}>
          +
        </button>
        <button type="button" aria-label={t('further')} onClick={() => change((v) => zoomed(v, 1 / nearer))}>
          −
        </button>
        <button type="button" onClick={fit}>
          {t('all')}
        </button>
      </div>
    </div>
  );
}

type Change = (next: (view: View) => View) => void;

/** Dragging moves, a wheel and two fingers zoom, a tap chooses; places are counted from the middle. */
function usePointers(
  canvas: { current: HTMLCanvasElement | null },
  change: Change,
  onTap: (dx: number, dy: number) => void,
): void {
  useEffect(() => {
    const element = canvas.current!;
    const held = new Map<number, PointerEvent>();
    let travelled = 0;
    const fromMiddle = ({ clientX, clientY }: MouseEvent): [number, number] => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [clientX - left - width / 2, clientY - top - height / 2];
    };
    const spread = (): number => {
      const [a, b] = [...held.values()];
      return a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0;
    };
    const stopping = new AbortController();
    const { signal } = stopping;
    element.addEventListener(
      'pointerdown',
      (event) => {
        element.setPointerCapture(event.pointerId);
        held.set(event.pointerId, event);
        travelled = 0;
      },
      { signal },
    );
    element.addEventListener(
      'pointermove',
      (event) => {
        const before = held.get(event.pointerId);
        if (!before) return;
        const wide = spread();
        held.set(event.pointerId, event);
        const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
        travelled += Math.abs(dx) + Math.abs(dy);
        if (held.size === 1) change((v) => panned(v, dx, dy));
        else if (wide > 0) change((v) => zoomed(panned(v, dx / 2, dy / 2), spread() / wide));
      },
      { signal },
    );
    const release = (event: PointerEvent): void => {
      const isTap = event.type === 'pointerup' && held.size === 1 && travelled < 6;
      held.delete(event.pointerId);
      if (isTap) onTap(...fromMiddle(event));
    };
    element.addEventListener('pointerup', release, { signal });
    element.addEventListener('pointercancel', release, { signal });
    element.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        change((v) => zoomed(v, Math.exp(-event.deltaY * 0.0015), ...fromMiddle(event)));
      },
      { signal, passive: false },
    );
    return () => stopping.abort();
  });
}
