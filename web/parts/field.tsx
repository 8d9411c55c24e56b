import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

type Frame = {
  label: string;
  says?: string;
  mistake?: string;
  children(id: string, describedBy: string | undefined): ComponentChildren;
};

export function Framed({ label, says, mistake, children }: Frame) {
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
  value: Signal<string>;
  says?: string;
  type?: 'text' | 'number' | 'password' | 'url' | 'datetime-local' | 'date' | 'time';
  required?: boolean;
  placeholder?: string;
  min?: number | string;
  max?: number | string;
  pattern?: string;
  maxLength?: number;
};

export function Field({ label, says, value, type = 'text', ...rest }: FieldProps) {
  const kind = type as 'text'; // Preact knows inputs by one type each
  return (
    <Framed label={label} {...(says && { says })}>
      {(id, describedBy) => (
        <input
          id={id}
          type={kind}
          value={value.value}
          aria-describedby={describedBy}
          autocomplete="off"
          onInput={(event) => {
            value.value = event.currentTarget.value;
          }}
          {...rest}
        />
      )}
    </Framed>
  );
}

export function TextArea({
  label,
  says,
  value,
  rows = 4,
}: Pick<FieldProps, 'label' | 'says' | 'value'> & { rows?: number }) {
  return (
    <Framed label={label} {...(says && { says })}>
      {(id, describedBy) => (
        <textarea
          id={id}
          rows={rows}
          spellcheck={false}
          aria-describedby={describedBy}
          value={value.value}
          onInput={(event) => {
            value.value = event.currentTarget.value;
          }}
        />
      )}
    </Framed>
  );
}

export type Choice = { value: string; label: string };

type ChoiceProps = { label: string; value: Signal<string>; choices: readonly Choice[]; says?: string };

/** With a `mistake` below it no form is sent. */
export function Select({ label, says, mistake, value, choices }: ChoiceProps & { mistake?: string }) {
  const ref = useRef<HTMLSelectElement>(null);
  useEffect(() => ref.current?.setCustomValidity(mistake ?? ''), [mistake]);
  return (
    <Framed label={label} {...(says && { says })} {...(mistake && { mistake })}>
      {(id, describedBy) => (
        <select
          id={id}
          ref={ref}
          aria-invalid={mistake !== undefined}
          value={value.value}
          aria-describedby={describedBy}
          onChange={(event) => {
            value.value = event.currentTarget.value;
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Framed>
  );
}

/** A few choices side by side, one of them taken. */
export function Segments({ label, value, choices }: ChoiceProps) {
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
            onChange={() => {
              value.value = choice.value;
            }}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

export function Switch({
  label,
  isOn,
  onChange,
  isDisabled = false,
}: {
  label: string;
  isOn: boolean;
  onChange(isOn: boolean): void;
  isDisabled?: boolean;
}) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
