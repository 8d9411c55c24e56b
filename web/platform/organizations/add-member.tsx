import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Role } from '#contract/access.ts';
import { addMember } from '#contract/cloud/organizations.ts';
import { Problem } from '#contract/problem.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { useKeptFocus } from '../../parts/kept-focus.ts';
import { PageProblem } from '../../parts/problem-words.ts';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { roleChoices } from './role-words.ts';

const t = texts({
  en: {
    title: 'Let somebody in',
    id: 'Identity',
    idSays: 'It begins with idt- and stands in their Settings.',
    role: 'Role',
    add: 'Let them in',
    unknown: 'Nobody on this platform has this identity. It begins with idt-; they find it in their Settings.',
  },
  sv: {
    title: 'Släpp in någon',
    id: 'Identitet',
    idSays: 'Den börjar med idt- och står i personens inställningar.',
    role: 'Roll',
    add: 'Släpp in',
    unknown: 'Ingen på plattformen har den identiteten. Den börjar med idt-; personen hittar den i sina inställningar.',
  },
});

export function AddMember({ orgId, ownRole, again }: { orgId: string; ownRole: Role; again(): void }) {
  const identity = useSignal('');
  const role = useSignal('viewer');
  const count = useSignal(0); // a form that was sent would find its emptied field wrong, so each one is new
  const place = useRef<HTMLElement>(null);
  useKeptFocus(place);
  const add = useAction(async () => {
    const body = { identity_id: identity.value.trim(), role: role.value as Role };
    try {
      await api().call(addMember, { params: { org_id: orgId }, body });
    } catch (cause) {
      if (!(cause instanceof Problem && cause.code === 'unprocessable')) throw cause;
      throw new PageProblem('unprocessable', t('unknown'), {}, { cause });
    }
    identity.value = '';
    count.value += 1;
    again();
  });
  return (
    <section aria-label={t('title')} tabIndex={-1} ref={place}>
      <h3>{t('title')}</h3>
      <ActionForm key={count.value} does={add} submit={t('add')} class="add-member">
        <Field label={t('id')} says={t('idSays')} value={identity} placeholder="idt-…" maxLength={128} required />
        <Select label={t('role')} value={role} choices={roleChoices(ownRole)} />
      </ActionForm>
    </section>
  );
}
