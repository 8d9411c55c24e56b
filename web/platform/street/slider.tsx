import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';

type SliderProps = {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  words(value: number): string;
  /** called when the slider is released */
  onChoose(value: number): void;
};

/** A slider that shows its value as text and follows `value` while it is not dragged. */
export function Slider({ label, value, words, onChoose, ...range }: SliderProps) {
  const id = useId();
  const dragged = useSignal<number | undefined>(undefined);
  const shown = dragged.value ?? value;
  return (
    <div class="field">
      <label for={id}>
        {label}: <b>{words(shown)}</b>
      </label>
      <input
        id={id}
        type="range"
        {...range}
        value={shown}
        aria-valuetext={words(shown)}
        onInput={(event) => (dragged.value = Number(event.currentTarget.value))}
        onChange={(event) => {
          onChoose(Number(event.currentTarget.value));
          dragged.value = undefined;
        }}
      />
    </div>
  );
}
