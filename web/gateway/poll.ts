import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Problem } from '#contract/problem.ts';
import type { Load } from '../parts/load.tsx';

const usualMs = 1000;

/** Asks again and again while somebody looks; the last value stays when asking fails. */
export function usePoll<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[] = [],
  everyMs = usualMs,
): Load<T> {
  const state = useMemo(() => signal<Load<T>>({ isLoading: true, again: () => {} }), []);
  const turn = useMemo(() => signal(0), []);
  const again = (): void => {
    turn.value += 1;
  };
  const count = turn.value;
  useEffect(() => {
    const leaving = new AbortController();
    void repeat(leaving.signal);
    return () => leaving.abort();

    async function repeat(left: AbortSignal): Promise<void> {
      while (!left.aborted) {
        const isAnswered = document.hidden || (await askOnce(left));
        if (!isAnswered) return;
        await pause(everyMs, left);
      }
    }
  }, [...inputs, count]);

  /** False when there is no use in asking again. */
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

/** Shorter when somebody begins to look, or leaves. */
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
