import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { Loading } from './loading.tsx';
import { Failed } from './notice.tsx';

export type Load<T> = { value?: T; problem?: unknown; isLoading: boolean; again(): void };

/**
 * Loads when shown and whenever `inputs` change; the last value stays until the next is there. What failed is loaded again
 * when the browser is back on line, as after a night with the lid closed.
 */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Load<T> {
  const state: Signal<Load<T>> = useMemo(() => signal<Load<T>>({ isLoading: true, again: () => {} }), []);
  const turn = useMemo(() => signal(0), []);
  const again = (): void => {
    turn.value += 1;
  };
  const count = turn.value;
  useEffect(() => {
    const leaving = new AbortController();
    state.value = { ...state.peek(), isLoading: true, again };
    load(leaving.signal).then(
      (value) => {
        if (!leaving.signal.aborted) state.value = { value, isLoading: false, again };
      },
      (problem: unknown) => {
        if (!leaving.signal.aborted) state.value = { ...state.peek(), problem, isLoading: false, again };
      },
    );
    const backOnLine = (): void => {
      if (state.peek().problem !== undefined) again();
    };
    addEventListener('online', backOnLine, { signal: leaving.signal });
    return () => leaving.abort();
  }, [...inputs, count]);
  return state.value;
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
