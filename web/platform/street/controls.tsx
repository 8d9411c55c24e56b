import { useSignal } from '@preact/signals';
import { useId, useMemo } from 'preact/hooks';
import type { Simulation } from '#contract/simulation.ts';
import type { EditableValue } from '../../parts/bound-value.ts';
import { simulation } from '../simulation.ts';
import { sendInOrder } from './send-in-order.ts';

/** Shows a change immediately and sends changes in order, so that the last one wins. */
export function useSimulationChange<Change extends object>(send: (change: Change) => Promise<Simulation>) {
  const chosen = useSignal<Partial<Change>>({}); // but not yet confirmed
  const problem = useSignal<unknown>(undefined);
  const pass = useMemo(() => sendInOrder(async (change: Change) => (simulation.value = await send(change))), []);
  const choose = (change: Change): void => {
    chosen.value = { ...chosen.peek(), ...change };
    problem.value = undefined;
    pass(change)
      .catch((error: unknown) => (problem.value = error))
      .finally(() => (chosen.value = {}));
  };
  return { chosen: chosen.value, problem: problem.value, choose };
}

type SliderProps = {
  label: string;
  /** changes when the slider is released */
  value: EditableValue<number>;
  max: number;
  step: number;
  words(value: number): string;
};

/** A slider from zero that shows its value as text and follows `value` while it is not dragged. */
export function Slider({ label, value, words, ...range }: SliderProps) {
  const id = useId();
  const dragged = useSignal<number>();
  const shown = dragged.value ?? value.value;
  return (
    <div class="field">
      <label for={id}>
        {label}: <b>{words(shown)}</b>
      </label>
      <input
        id={id}
        type="range"
        min={0}
        {...range}
        value={shown}
        aria-valuetext={words(shown)}
        onInput={(event) => (dragged.value = Number(event.currentTarget.value))}
        onChange={(event) => {
          value.value = Number(event.currentTarget.value);
          dragged.value = undefined;
        }}
      />
    </div>
  );
}
