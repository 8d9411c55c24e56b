import type uPlot from 'uplot';
import { isWhole, type Limits, panned, type Window, within, zoomed } from './window.ts';

type Target = {
  seen(): Window;
  limits(): Limits;
  /** `isMoving` until what moves it is let go */
  show(seen: Window, isMoving: boolean): void;
};

const dragPx = 5; // less is a click with an unsteady hand
const wheelStep = 1.0015; // for each unit that a wheel tells; most tell 100 a notch
const restMs = 250;

type Finger = { id: number; startX: number; x: number };
type Drag = { kind: 'pan' | 'select'; from: Window; startX: number };

/**
 * Drag over the whole to choose a part, drag a part to move it, pinch or turn the wheel to zoom, and click twice to
 * see the whole again. Up and down stay with the page.
 */
export function followGestures(plot: uPlot, target: Target): () => void {
  const { over } = plot;
  const ending = new AbortController();
  const on = { signal: ending.signal };
  const fingers = new Map<number, Finger>();
  let drag: Drag | undefined;
  let pinch: { from: Window; values: [number, number] } | undefined;
  let frame = 0;
  let awaited: Window | undefined;
  let lastScroll = Number.NEGATIVE_INFINITY;

  const leftOf = (clientX: number): number => clientX - over.getBoundingClientRect().left;
  const valueAt = (clientX: number, { from, to }: Window): number =>
    from + (leftOf(clientX) / over.clientWidth) * (to - from);

  /** At most once for each picture that is shown. */
  const soon = (next: Window): void => {
    if (awaited === undefined) frame = requestAnimationFrame(() => showAwaited(true));
    awaited = next;
  };
  const showAwaited = (isMoving: boolean): void => {
    const next = awaited ?? target.seen();
    awaited = undefined;
    target.show(next, isMoving);
  };

  const select = (fromX: number, toX: number): void => {
    const [left, right] = [leftOf(fromX), leftOf(toX)].sort((a, b) => a - b) as [number, number];
    const [start, end] = [Math.max(0, left), Math.min(over.clientWidth, right)];
    plot.setSelect({ left: start, width: Math.max(0, end - start), top: 0, height: over.clientHeight }, false);
  };

  function begin(event: PointerEvent): void {
    if (event.button !== 0) return;
    over.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { id: event.pointerId, startX: event.clientX, x: event.clientX });
    if (fingers.size !== 2) return;
    const from = target.seen();
    const [a, b] = [...fingers.values()] as [Finger, Finger];
    drag = undefined;
    select(0, 0);
    pinch = { from, values: [valueAt(a.x, from), valueAt(b.x, from)] };
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
      soon(panned(from, byMs, target.limits()));
    }
  }

  /** The moments under two fingers stay under them. */
  function pinchTo({ values: [first, second] }: NonNullable<typeof pinch>): void {
    const [a, b] = [...fingers.values()].map(({ x }) => leftOf(x) / over.clientWidth) as [number, number];
    if (Math.abs(a - b) < 0.02) return;
    const length = Math.abs((first - second) / (a - b));
    const from = (first + second) / 2 - ((a + b) / 2) * length;
    soon(within({ from, to: from + length }, target.limits()));
  }

  function end(event: PointerEvent): void {
    const finger = fingers.get(event.pointerId);
    if (!fingers.delete(event.pointerId) || !finger) return;
    cancelAnimationFrame(frame);
    if (drag?.kind === 'select') {
      const whole = drag.from;
      const [from, to] = [valueAt(drag.startX, whole), valueAt(finger.x, whole)].sort((a, b) => a - b);
      select(0, 0);
      if (event.type === 'pointerup') target.show(within({ from: from!, to: to! }, target.limits()), false);
    } else if (drag || pinch) showAwaited(false);
    drag = undefined;
    pinch = undefined;
    for (const other of fingers.values()) other.startX = other.x;
  }

  function turn(event: WheelEvent): void {
    // A page that is being scrolled past is not caught.
    if (performance.now() - lastScroll < restMs) return;
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
