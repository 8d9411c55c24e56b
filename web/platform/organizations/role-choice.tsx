import { useSignal } from '@preact/signals';
import type { Role } from '#contract/access.ts';
import { type Member, updateMember } from '#contract/cloud/organizations.ts';
import { useAction } from '../../parts/action.tsx';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { roleChoices } from './role-words.ts';

const t = texts({ en: { roleOf: 'Role of {id}' }, sv: { roleOf: 'Roll för {id}' } });

type ChoiceProps = { orgId: string; member: Member; ownRole: Role; again(): void };

/** The role of a member, to be changed; a change that is refused is taken back. */
export function RoleChoice({ orgId, member: { identity_id, role }, ownRole, again }: ChoiceProps) {
  const wanted = useSignal<Role>(role);
  const change = useAction(async () => {
    try {
      await api().call(updateMember, { params: { org_id: orgId, identity_id }, body: { role: wanted.peek() } });
    } catch (problem) {
      wanted.value = role;
      throw problem;
    }
    again();
  });
  return (
    <span class="role">
      <select
        aria-label={t('roleOf', { id: identity_id })}
        value={wanted.value}
        disabled={change.isBusy}
        onChange={(event) => {
          wanted.value = event.currentTarget.value as Role;
          void change.run();
        }}
      >
        {roleChoices(ownRole).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {change.problem !== undefined && <Failed problem={change.problem} />}
    </span>
  );
}
