import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks';
import { Loading } from './loading.tsx';
import { Failed } from './notice.tsx';

export type Load<T> = { value?: T; problem?: unknown; isLoading: boolean; again(): void };

type Inputs = readonly unknown[];
type State<T> = Omit<Load<T>, 'again'> & { of: Inputs };

const isSame = (some: Inputs, others: Inputs): boolean => some.every((input, i) => input === others[i]);

/** Under way for these inputs; a problem of others is none of theirs. */
function begun<T>({ problem, ...state }: State<T>, inputs: Inputs): State<T> {
  const isOfThese = problem !== undefined && isSame(state.of, inputs);
  return { ...state, ...(isOfThese && { problem }), of: inputs, isLoading: true };
}

/**
 * Loads when shown, whenever `inputs` change, and again when its `turn` does; the last value stays until the next is there.
 * A load of other inputs is broken off; a turn waits for what is under way. What failed is loaded again when the browser is
 * back on line, as after a night with the lid closed.
 */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, inputs: Inputs, turn?: unknown): Load<T> {
  const state: Signal<State<T>> = useMemo(() => signal<State<T>>({ of: inputs, isLoading: true }), []);
  const count = useMemo(() => signal(0), []);
  const again = useCallback((): void => {
    count.value += 1;
  }, []);
  const turnOfLoad = useRef(turn);
  useEffect(() => {
    const leaving = new AbortController();
    turnOfLoad.current = turn;
    state.value = begun(state.peek(), inputs);
    load(leaving.signal).then(
      (value) => {
        if (!leaving.signal.aborted) state.value = { of: inputs, value, isLoading: false };
      },
      (problem: unknown) => {
        if (!leaving.signal.aborted) state.value = { ...state.peek(), problem, isLoading: false };
      },
    );
    const backOnLine = (): void => {
      if (state.peek().problem !== undefined) again();
    };
    addEventListener('online', backOnLine, { signal: leaving.signal });
    return () => leaving.abort();
  }, [...inputs, count.value]);
  useEffect(() => {
    if (!state.peek().isLoading && turnOfLoad.current !== turn) again();
  }, [turn, state.value.isLoading]);
  const { of, ...loaded } = isSame(state.value.of, inputs) ? state.value : begun(state.value, inputs);
  return { ...loaded, again };
}

type LoadedProps<T> = { from: Load<T>; lines?: number; children: (value: T) => ComponentChildren };

/** What was loaded; before that bars, and what went wrong above what is still known. */
export function Loaded<T>({ from: { value, problem, again }, lines = 3, children }: LoadedProps<T>) {
  return (
    <>
      {problem !== undefined && <Failed problem={problem} again={again} />}
      {value !== undefined && children(value)}
      {value === undefined && problem === undefined && <Loading lines={lines} />}
    </>
  );
}
