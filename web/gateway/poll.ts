import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Problem } from '#contract/problem.ts';
import type { Load } from '../parts/load.tsx';

const defaultMs = 1000;

/** Repeats a request while the page is visible. A failure keeps the last value. */
export function usePoll<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[] = [],
  everyMs = defaultMs,
): Load<T> {
  const state = useMemo(() => signal<Load<T>>({ isLoading: true, again: () => {} }), []);
  const turn = useMemo(() => signal(0), []);
  const again = (): void => {
    turn.value += 1;
  };
  const count = turn.value;
  useEffect(() => {
    const aborting = new AbortController();
    void repeat(aborting.signal);
    return () => aborting.abort();

    async function repeat(left: AbortSignal): Promise<void> {
      while (!left.aborted) {
        const mayRepeat = document.hidden || (await askOnce(left));
        if (!mayRepeat) return;
        await pause(everyMs, left);
      }
    }
  }, [...inputs, count]);

  /** Requests once; resolves to false when repeating is useless. */
  async function askOnce(left: AbortSignal): Promise<boolean> {
    try {
      const value = await ask(left);
      if (!left.aborted) state.value = { value, isLoading: false, again };
    } catch (problem) {
      if (left.aborted) return false;
      state.value = { ...state.peek(), problem, isLoading: false, again };
      if (problem instanceof Problem && problem.code === 'unauthenticated') return false;
    }
    return true;
  }

  return state.value;
}

/** Waits, but no longer than until the page becomes visible or is left. */
const pause = (ms: number, left: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', done);
      left.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    document.addEventListener('visibilitychange', done);
    left.addEventListener('abort', done);
  });
