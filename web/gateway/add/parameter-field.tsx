import type { Signal } from '@preact/signals';
import { Field, Select } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';
import { parameterWords, valueWords } from '../parameter-words.ts';
import { useProfiles } from '../profiles.ts';
import type { FormField } from './form-fields.ts';

const t = texts({
  en: { usual: 'Usually {value}', choose: 'Choose the product' },
  sv: { usual: 'Vanligen {value}', choose: 'Välj produkt' },
});

type Typed = Signal<Record<string, string>>;
type ParameterProps = { type: string; field: FormField; typed: Typed };

/** One parameter. Left empty, the gateway takes what is usual. */
export function ParameterField({ type, field, typed }: ParameterProps) {
  const { name, required, oneOf, isSecret, default: usual } = field;
  const { label, says = field.description } = parameterWords(name);
  const value = within(typed, name);
  const hint =
    typeof usual === 'string' || typeof usual === 'number' ? t('usual', { value: valueWords(name, usual) }) : '';
  if (name === 'profile') return <ProfileField type={type} label={label} empty={hint || t('choose')} value={value} />;
  if (oneOf) {
    const choices = oneOf.map((each) => ({ value: String(each), label: valueWords(name, each) }));
    return (
      <Select label={label} {...(says && { says })} value={value} choices={[{ value: '', label: hint }, ...choices]} />
    );
  }
  return (
    <Field
      label={label}
      {...(says && { says })}
      type={isSecret ? 'password' : field.type === 'string' ? 'text' : 'number'}
      required={required && usual === undefined}
      placeholder={hint}
      value={value}
    />
  );
}

type ProfileProps = { type: string; label: string; empty: string; value: Signal<string> };

/** The products that can be connected this way. */
function ProfileField({ type, label, empty, value }: ProfileProps) {
  const profiles = useProfiles().value ?? [];
  const fitting = profiles.filter(({ connection_types }) => connection_types.some((each) => each === type));
  const choices = fitting.map(({ profile, display_name }) => ({ value: profile, label: display_name }));
  return <Select label={label} value={value} choices={[{ value: '', label: empty }, ...choices]} />;
}

/** One name of a record of texts, as a signal of its own. */
const within = (all: Typed, name: string): Signal<string> =>
  Object.defineProperty({}, 'value', {
    get: () => all.value[name] ?? '',
    set(text: string) {
      all.value = { ...all.value, [name]: text };
    },
  }) as Signal<string>;
