import { useRef } from 'preact/hooks';
import { Problem } from '#contract/problem.ts';
import { type Load, useLoad } from '../parts/load.tsx';
import { now } from '../parts/now.ts';

/** Repeats a request while the page is visible. A failure keeps the last value; a refused token ends the repetition. */
export function usePoll<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[] = [],
  everyMs = 1000,
): Load<T> {
  const turn = useRef(0);
  const isRefused = useRef(false);
  if (!isRefused.current) turn.current = Math.floor(now.value / everyMs);
  const load = useLoad(ask, inputs, turn.current);
  isRefused.current = load.problem instanceof Problem && load.problem.code === 'unauthenticated';
  return load;
}
