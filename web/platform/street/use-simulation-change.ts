import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { sendInOrder } from './send-in-order.ts';

type PendingChange<Change> = {
  /** chosen but not yet confirmed */
  chosen: Partial<Change>;
  problem: unknown;
  choose(change: Change): void;
};

/** Shows a change immediately and sends changes in order, so that the last one wins. */
export function useSimulationChange<Change extends object>(
  send: (change: Change) => Promise<unknown>,
): PendingChange<Change> {
  const chosen = useSignal<Partial<Change>>({});
  const problem = useSignal<unknown>(undefined);
  const pass = useMemo(() => sendInOrder(send), []);
  return {
    chosen: chosen.value,
    problem: problem.value,
    choose(change) {
      chosen.value = { ...chosen.peek(), ...change };
      problem.value = undefined;
      pass(change)
        .catch((error: unknown) => {
          problem.value = error;
        })
        .finally(() => {
          chosen.value = {};
        });
    },
  };
}
