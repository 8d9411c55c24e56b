import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';

type SliderProps = {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  words(value: number): string;
  /** told when the person lets go of it */
  onChoose(value: number): void;
};

/** A slider that says its value in words; it follows the finger, and what is played when nobody holds it. */
export function Slider({ label, value, words, onChoose, ...range }: SliderProps) {
  const id = useId();
  const held = useSignal<number | undefined>(undefined);
  const shown = held.value ?? value;
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
        onInput={(event) => {
          held.value = Number(event.currentTarget.value);
        }}
        onChange={(event) => {
          onChoose(Number(event.currentTarget.value));
          held.value = undefined;
        }}
      />
    </div>
  );
}
