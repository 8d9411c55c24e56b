import { useSignal } from '@preact/signals';
import type { Role } from '#contract/access.ts';
import { type Member, updateMember } from '#contract/cloud/organizations.ts';
import { useAction, whileBusy } from '../../parts/action.tsx';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { roleChoices } from './role-words.ts';

const t = texts({ en: { roleOf: 'Role of {id}' }, sv: { roleOf: 'Roll för {id}' } });

type ChoiceProps = { orgId: string; member: Member; ownRole: Role; again(): void };

/** The role of a member, to be changed; a change that is refused is taken back. */
export function RoleChoice({ orgId, member, ownRole, again }: ChoiceProps) {
  const { identity_id } = member;
  const wish = useSignal({ of: member, role: member.role });
  const shown = wish.value.of === member ? wish.value.role : member.role; // a member that was read since knows better
  const change = useAction(async () => {
    try {
      await api().call(updateMember, { params: { org_id: orgId, identity_id }, body: { role: wish.peek().role } });
    } catch (problem) {
      wish.value = { of: member, role: member.role };
      throw problem;
    }
    again();
  });
  return (
    <span class="role">
      <select
        aria-label={t('roleOf', { id: identity_id })}
        value={shown}
        {...whileBusy(change)}
        onChange={(event) => {
          const select = event.currentTarget;
          const role = select.value as Role;
          if (change.isBusy) {
            select.value = shown;
            return;
          }
          wish.value = { of: member, role };
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
