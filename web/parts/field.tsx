import type { ComponentChildren, SelectHTMLAttributes } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { EditableValue } from './bound-value.ts';
import { type DecimalRange, useDecimal, writeDecimal } from './decimal.ts';
import { language } from './text.ts';

type FrameProps = {
  label: ComponentChildren;
  says?: string | undefined;
  mistake?: string | undefined;
  children(id: string, describedBy: string | undefined): ComponentChildren;
};

/** Shows a label above an input, and a mistake and a hint below it. */
export function FieldFrame({ label, says, mistake, children }: FrameProps) {
  const id = useId();
  const describedBy = [mistake && `${id}-mistake`, says && `${id}-says`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, describedBy || undefined)}
      {mistake && (
        <p class="mistake" id={`${id}-mistake`} role="alert">
          {mistake}
        </p>
      )}
      {says && (
        <p class="says" id={`${id}-says`}>
          {says}
        </p>
      )}
    </div>
  );
}

type FieldProps = {
  label: string;
  value: EditableValue;
  says?: string | undefined;
  /** shown below the input */
  mistake?: string | undefined;
  /** makes it a text area */
  rows?: number;
  type?: 'text' | 'number' | 'password' | 'url' | 'datetime-local' | 'date' | 'time';
  required?: boolean;
  placeholder?: string;
  min?: number | string;
  max?: number | string;
  pattern?: string;
  maxLength?: number;
};

export function Field({ label, says, mistake, value, type = 'text', rows, ...rest }: FieldProps) {
  const inputType = type as 'text'; // Preact has one set of props for each input type and accepts no union
  return (
    <FieldFrame label={label} says={says} mistake={mistake}>
      {(id, describedBy) => {
        const common = {
          id,
          value: value.value,
          'aria-describedby': describedBy,
          'aria-invalid': mistake !== undefined,
          onInput: (event: { currentTarget: { value: string } }) => (value.value = event.currentTarget.value),
        };
        return rows ? (
          <textarea {...common} rows={rows} spellcheck={false} />
        ) : (
          <input {...common} type={inputType} autocomplete="off" {...rest} />
        );
      }}
    </FieldFrame>
  );
}

type DecimalFieldProps = DecimalRange &
  Pick<FieldProps, 'label' | 'value' | 'says' | 'mistake' | 'required' | 'placeholder'>;

/** A number with decimals. A mistake in the number is shown below it and keeps the form from being sent. */
export function DecimalField(props: DecimalFieldProps) {
  const { label, says, mistake: ofForm, required = false, placeholder = '', ...decimal } = props;
  const { input, mistake = ofForm } = useDecimal(decimal);
  return (
    <FieldFrame label={label} says={says} mistake={mistake}>
      {(id, describedBy) => (
        <input
          id={id}
          aria-describedby={describedBy}
          required={required}
          placeholder={writeDecimal(placeholder, language.value)}
          {...input}
          aria-invalid={mistake !== undefined}
        />
      )}
    </FieldFrame>
  );
}

export type Choice<Value extends string = string> = { value: Value; label: string };

export const choicesOf = <Value extends string>(
  values: readonly Value[],
  label: (value: Value) => string,
): Choice<Value>[] => values.map((value) => ({ value, label: label(value) }));

/** Adds the selected value to choices that do not contain it. */
export const withChosen = (choices: readonly Choice[], chosen: string | undefined): readonly Choice[] =>
  !chosen || choices.some(({ value }) => value === chosen) ? choices : [{ value: chosen, label: chosen }, ...choices];

type ChoiceProps<Value extends string> = {
  label: string;
  value: EditableValue<Value>;
  choices: readonly Choice<Value>[];
  says?: string | undefined;
  /** shown below the choice; keeps the form from being sent */
  mistake?: string | undefined;
};

export function Select<Value extends string>({ label, says, mistake, ...choice }: ChoiceProps<Value>) {
  return (
    <FieldFrame label={label} says={says} mistake={mistake}>
      {(id, describedBy) => (
        <BareSelect {...choice} mistake={mistake} input={{ id, 'aria-describedby': describedBy }} />
      )}
    </FieldFrame>
  );
}

type BareSelectProps<Value extends string> = Pick<ChoiceProps<Value>, 'value' | 'choices' | 'mistake'> & {
  input: SelectHTMLAttributes;
};

/** A choice without a visible label. */
export function BareSelect<Value extends string>({ value, choices, mistake, input }: BareSelectProps<Value>) {
  const ref = useRef<HTMLSelectElement>(null);
  useEffect(() => ref.current?.setCustomValidity(mistake ?? ''), [mistake]);
  return (
    <select
      ref={ref}
      aria-invalid={mistake !== undefined}
      value={value.value}
      onChange={({ currentTarget }) => {
        const chosen = choices.find((choice) => choice.value === currentTarget.value);
        if (chosen) value.value = chosen.value;
      }}
      {...input}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value} selected={choice.value === value.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}

/** Shows a few choices side by side, of which one is selected. */
export function Segments<Value extends string>({ label, value, choices }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="hidden">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={value.value === choice.value}
            onChange={() => (value.value = choice.value)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

type SwitchProps = { label: string; value: EditableValue<boolean>; isDisabled?: boolean };

export function Switch({ label, value, isDisabled = false }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={value.value}
        checked={value.value}
        disabled={isDisabled}
        onChange={(event) => (value.value = event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
