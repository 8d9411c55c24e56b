import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks';
import { Failed, Loading, Table, type TableProps } from './layout.tsx';

export type Load<T> = { value?: T; problem?: unknown; isLoading: boolean; again(): void };

type Inputs = readonly unknown[];
type State<T> = Omit<Load<T>, 'again'> & { inputs: Inputs };

const isSame = (some: Inputs, others: Inputs): boolean => some.every((input, i) => input === others[i]);

/** Returns the state of a load that begins; the problem of a load with other inputs is dropped. */
function started<T>({ problem, ...state }: State<T>, inputs: Inputs): State<T> {
  const isSameLoad = problem !== undefined && isSame(state.inputs, inputs);
  return { ...state, ...(isSameLoad && { problem }), inputs, isLoading: true };
}

/**
 * Loads when shown, when `inputs` change, and when `turn` changes. The last value stays until the next one is loaded.
 * New inputs abort a running load; a new turn waits for it. A failed load is repeated when the browser is back online.
 */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, inputs: Inputs, turn?: unknown): Load<T> {
  const state: Signal<State<T>> = useMemo(() => signal<State<T>>({ inputs, isLoading: true }), []);
  const count = useMemo(() => signal(0), []);
  const again = useCallback((): void => {
    count.value += 1;
  }, []);
  const loadedTurn = useRef(turn);
  useEffect(() => {
    const aborting = new AbortController();
    loadedTurn.current = turn;
    state.value = started(state.peek(), inputs);
    load(aborting.signal).then(
      (value) => {
        if (!aborting.signal.aborted) state.value = { inputs, value, isLoading: false };
      },
      (problem: unknown) => {
        if (!aborting.signal.aborted) state.value = { ...state.peek(), problem, isLoading: false };
      },
    );
    const retryFailed = (): void => {
      if (state.peek().problem !== undefined) again();
    };
    addEventListener('online', retryFailed, { signal: aborting.signal });
    return () => aborting.abort();
  }, [...inputs, count.value]);
  useEffect(() => {
    if (!state.peek().isLoading && loadedTurn.current !== turn) again();
  }, [turn, state.value.isLoading]);
  const { inputs: _, ...loaded } = isSame(state.value.inputs, inputs) ? state.value : started(state.value, inputs);
  return { ...loaded, again };
}

type LoadedProps<T> = {
  from: Load<T>;
  lines?: number;
  /** shown instead of an empty list */
  empty?: ComponentChildren;
  children: (value: T) => ComponentChildren;
};

/** Shows the loaded value, with a problem above it; before that, placeholder bars. */
export function Loaded<T>({ from: { value, problem, again }, lines = 3, empty, children }: LoadedProps<T>) {
  const isEmpty = empty !== undefined && Array.isArray(value) && value.length === 0;
  return (
    <>
      <Failed problem={problem} again={again} />
      {value !== undefined && (isEmpty ? empty : children(value))}
      {value === undefined && problem === undefined && <Loading lines={lines} />}
    </>
  );
}

type LoadedTableProps<Row> = Omit<TableProps<Row>, 'rows'> & {
  from: Load<readonly Row[]>;
  /** shown instead of a table without rows */
  empty?: ComponentChildren;
};

/** A table of rows that are loaded. */
export const LoadedTable = <Row,>({ from, empty = null, ...table }: LoadedTableProps<Row>) => (
  <Loaded from={from} empty={empty}>
    {(rows) => <Table rows={rows} {...table} />}
  </Loaded>
);
