import { type Signal, useSignal } from '@preact/signals';
import { addDevice, listConnectionTypes } from '#contract/gateway/devices.ts';
import type { RequestOf } from '#contract/route.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { type EditableValue, editable } from '../../parts/bound-value.ts';
import { Field, Select } from '../../parts/field.tsx';
import { Card } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { texts } from '../../parts/text.ts';
import { useProfiles } from '../devices.ts';
import { gateway } from '../gateway-api.ts';
import { connectionWords, parameterWords, valueWords } from '../parameter-words.ts';
import { type FormField, fieldsOf, type OfferedType, parametersOf } from './form-fields.ts';

const t = texts({
  title: 'Add manually',
  add: 'Add',
  usual: 'Default: {value}',
  choose: 'Select a product',
});

type AddedProps = { onAdded(sn: string): void };

/** Shows the form that the gateway describes. */
export function ManualCard({ onAdded }: AddedProps) {
  const offered = useLoad((signal) => gateway.call(listConnectionTypes, { signal }), []);
  return (
    <Card title={t('title')} class="wide">
      <Loaded from={offered}>
        {({ connection_types }) => <ManualForm types={connection_types} onAdded={onAdded} />}
      </Loaded>
    </Card>
  );
}

function ManualForm({ types, onAdded }: { types: OfferedType[] } & AddedProps) {
  const chosen = useSignal(types[0]?.type ?? '');
  const typed = useSignal<Record<string, string>>({});
  const offered = types.find(({ type }) => type === chosen.value);
  const fields = offered ? fieldsOf(offered) : [];
  const add = useAction(async () => {
    const body = { type: chosen.value, ...parametersOf(fields, typed.value) };
    const { sn } = await gateway.call(addDevice, { body: body as RequestOf<typeof addDevice>['body'] });
    typed.value = {};
    onAdded(sn);
  });
  return (
    <ActionForm does={add} submit={t('add')}>
      <Select
        label={t('connection')}
        value={chosen}
        choices={types.map(({ type, description }) => ({ value: type, label: connectionWords(type, description) }))}
      />
      <div class="hand-fields">
        {fields.map((field) => (
          <ParameterField key={`${chosen.value} ${field.name}`} type={chosen.value} field={field} typed={typed} />
        ))}
      </div>
    </ActionForm>
  );
}

type Typed = Signal<Record<string, string>>;
/** Shows one parameter; the gateway uses its default for an empty field. */
function ParameterField({ type, field, typed }: { type: string; field: FormField; typed: Typed }) {
  const { name, required, oneOf, isSecret, default: usual } = field;
  const { label, says = field.description } = parameterWords(name);
  const value = editable(typed.value[name] ?? '', (text) => (typed.value = { ...typed.value, [name]: text }));
  const hint =
    typeof usual === 'string' || typeof usual === 'number' ? t('usual', { value: valueWords(name, usual) }) : '';
  if (name === 'profile') return <ProfileField type={type} label={label} empty={hint || t('choose')} value={value} />;
  if (oneOf) {
    const choices = oneOf.map((each) => ({ value: String(each), label: valueWords(name, each) }));
    return <Select label={label} says={says} value={value} choices={[{ value: '', label: hint }, ...choices]} />;
  }
  return (
    <Field
      label={label}
      says={says}
      type={isSecret ? 'password' : field.type === 'string' ? 'text' : 'number'}
      required={required && usual === undefined}
      placeholder={hint}
      value={value}
    />
  );
}

type ProfileFieldProps = { type: string; label: string; empty: string; value: EditableValue };

function ProfileField({ type, label, empty, value }: ProfileFieldProps) {
  const profiles = useProfiles().value ?? [];
  const fitting = profiles.filter(({ connection_types }) => connection_types.some((each) => each === type));
  const choices = fitting.map(({ profile, display_name }) => ({ value: profile, label: display_name }));
  return <Select label={label} value={value} choices={[{ value: '', label: empty }, ...choices]} />;
}
