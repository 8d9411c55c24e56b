import type uPlot from 'uplot';
import { isWhole, panned, type Viewport, type ViewportLimits, within, zoomed } from './viewport.ts';

type Target = {
  seen(): Viewport;
  limits(): ViewportLimits;
  /** Shows a part of the chart; `isMoving` until the gesture ends. */
  show(seen: Viewport, isMoving: boolean): void;
};

const dragPx = 5; // a shorter movement is a click
const wheelStep = 1.0015; // for each unit of deltaY; most wheels report 100 a notch
const scrollRestMs = 250;

type Finger = { startX: number; x: number };
type Drag = { kind: 'pan' | 'select'; from: Viewport; startX: number };

/**
 * Handles gestures: dragging selects a part of the whole chart or moves a zoomed one, pinching and the wheel zoom, and a
 * double click shows the whole chart. Vertical movement scrolls the page. Returns a function that stops it.
 */
export function followGestures(plot: uPlot, target: Target): () => void {
  const { over } = plot;
  const ending = new AbortController();
  const on = { signal: ending.signal };
  const fingers = new Map<number, Finger>();
  let drag: Drag | undefined;
  /** the times under two fingers */
  let pinch: [number, number] | undefined;
  let frame = 0;
  let pending: Viewport | undefined;
  let lastScroll = Number.NEGATIVE_INFINITY;

  const leftOf = (clientX: number): number => clientX - over.getBoundingClientRect().left;
  const valueAt = (clientX: number, { from, to }: Viewport): number =>
    from + (leftOf(clientX) / over.clientWidth) * (to - from);

  /** Shows the latest viewport at most once in each animation frame. */
  const showSoon = (next: Viewport): void => {
    if (pending === undefined) frame = requestAnimationFrame(() => showPending(true));
    pending = next;
  };
  const showPending = (isMoving: boolean): void => {
    const next = pending ?? target.seen();
    pending = undefined;
    target.show(next, isMoving);
  };

  const select = (fromX: number, toX: number): void => {
    const [from, to] = [leftOf(fromX), leftOf(toX)];
    const start = Math.max(0, Math.min(from, to));
    const end = Math.min(over.clientWidth, Math.max(from, to));
    plot.setSelect({ left: start, width: Math.max(0, end - start), top: 0, height: over.clientHeight }, false);
  };

  function begin(event: PointerEvent): void {
    if (event.button !== 0) return;
    over.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { startX: event.clientX, x: event.clientX });
    const [a, b] = fingers.values();
    if (!a || !b || fingers.size !== 2) return;
    const from = target.seen();
    drag = undefined;
    select(0, 0);
    pinch = [valueAt(a.x, from), valueAt(b.x, from)];
  }

  function move(event: PointerEvent): void {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    finger.x = event.clientX;
    if (pinch) {
      pinchTo(pinch);
      return;
    }
    if (!drag && Math.abs(finger.x - finger.startX) > dragPx) {
      const from = target.seen();
      const isSelecting = event.shiftKey || isWhole(from, target.limits());
      drag = { kind: isSelecting ? 'select' : 'pan', from, startX: finger.startX };
    }
    if (drag?.kind === 'select') select(drag.startX, finger.x);
    if (drag?.kind === 'pan') {
      const { from, startX } = drag;
      const byMs = ((startX - finger.x) / over.clientWidth) * (from.to - from.from);
      showSoon(panned(from, byMs, target.limits()));
    }
  }

  /** Keeps the times under both fingers in place. */
  function pinchTo([first, second]: [number, number]): void {
    const [a, b] = Array.from(fingers.values(), ({ x }) => leftOf(x) / over.clientWidth);
    if (a === undefined || b === undefined || Math.abs(a - b) < 0.02) return;
    const length = Math.abs((first - second) / (a - b));
    const from = (first + second) / 2 - ((a + b) / 2) * length;
    showSoon(within({ from, to: from + length }, target.limits()));
  }

  function end(event: PointerEvent): void {
    const finger = fingers.get(event.pointerId);
    if (!fingers.delete(event.pointerId) || !finger) return;
    cancelAnimationFrame(frame);
    if (drag?.kind === 'select') {
      const whole = drag.from;
      const [start, end] = [valueAt(drag.startX, whole), valueAt(finger.x, whole)];
      const chosen = { from: Math.min(start, end), to: Math.max(start, end) };
      select(0, 0);
      if (event.type === 'pointerup') target.show(within(chosen, target.limits()), false);
    } else if (drag || pinch) showPending(false);
    drag = undefined;
    pinch = undefined;
    for (const other of fingers.values()) other.startX = other.x;
  }

  function turn(event: WheelEvent): void {
    // Scrolling the page past a chart does not zoom it.
    if (performance.now() - lastScroll < scrollRestMs) return;
    const [seen, limits] = [target.seen(), target.limits()];
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!isSideways && event.deltaY > 0 && isWhole(seen, limits)) return;
    event.preventDefault();
    const next = isSideways
      ? panned(seen, (event.deltaX / over.clientWidth) * (seen.to - seen.from), limits)
      : zoomed(seen, wheelStep ** event.deltaY, valueAt(event.clientX, seen), limits);
    target.show(next, false);
  }

  over.addEventListener('pointerdown', begin, on);
  over.addEventListener('pointermove', move, on);
  over.addEventListener('pointerup', end, on);
  over.addEventListener('pointercancel', end, on);
  over.addEventListener('dblclick', () => target.show(target.limits().whole, false), on);
  over.addEventListener('wheel', turn, { ...on, passive: false });
  document.addEventListener(
    'scroll',
    () => {
      lastScroll = performance.now();
    },
    { ...on, passive: true },
  );
  return () => {
    cancelAnimationFrame(frame);
    ending.abort();
  };
}
