import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { inTurn } from './in-turn.ts';

type Choices<Change> = {
  /** chosen here, and not yet played */
  chosen: Partial<Change>;
  problem: unknown;
  choose(change: Change): void;
};

/** What a person changes of the simulation. It is shown at once, and sent in turn, so that the last choice wins. */
export function useChoices<Change extends object>(send: (change: Change) => Promise<unknown>): Choices<Change> {
  const chosen = useSignal<Partial<Change>>({});
  const problem = useSignal<unknown>(undefined);
  const pass = useMemo(() => inTurn(send), []);
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
