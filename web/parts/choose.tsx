import { useId } from 'preact/hooks';
import type { Choice } from './field.tsx';

type ChooseProps = {
  label: string;
  value: string;
  choices: readonly Choice[];
  onChoose(value: string): void;
};

/** A choice whose value lives elsewhere, such as in the address of the page. */
export function Choose({ label, value, choices, onChoose }: ChooseProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} selected={choice.value === value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  );
}
