import { useSignal } from '@preact/signals';
import { createOrganization, type Organization } from '#contract/cloud/organizations.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Field } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';

const t = texts({
  create: 'Create organization',
});

type Props = { required?: boolean; onMade(made: Organization): void };

/** Creates an organization. Without a name it is called like the example, unless a name is required. */
export function NewOrganization({ required = false, onMade }: Props) {
  const name = useSignal('');
  const make = useAction(async () => {
    onMade(await api().call(createOrganization, { body: { name: name.value.trim() || t('home') } }));
  });
  return (
    <ActionForm does={make} submit={t('create')}>
      <Field label={t('name')} value={name} placeholder={t('home')} maxLength={128} required={required} />
    </ActionForm>
  );
}
