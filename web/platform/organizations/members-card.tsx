import { useSignal } from '@preact/signals';
import { can, type Role } from '#contract/access.ts';
import { type Member, removeMember, updateMember } from '#contract/cloud/organizations.ts';
import { useAction, whileBusy } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { date } from '../../parts/format.ts';
import { Failed } from '../../parts/notice.tsx';
import { go } from '../../parts/router.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { Invite } from './invite.tsx';
import { roleChoices, roleWords } from './role-words.ts';

const t = texts({
  en: {
    title: 'Members',
    who: 'Who',
    you: 'you',
    role: 'Role',
    since: 'Since',
    change: 'Change',
    remove: 'Remove',
    removeOf: 'Remove {id}',
    removeSays:
      'They no longer see the sites, gateways and devices of this organization. Streams that are open end at once.',
    leave: 'Leave',
    leaveSays:
      'You no longer see the sites, gateways and devices of this organization; somebody in it must invite you again.',
    roleOf: 'Role of {id}',
  },
  sv: {
    title: 'Medlemmar',
    who: 'Vem',
    you: 'du',
    role: 'Roll',
    since: 'Sedan',
    change: 'Ändra',
    remove: 'Ta bort',
    removeOf: 'Ta bort {id}',
    removeSays:
      'Personen ser inte längre organisationens anläggningar, gateways och enheter. Öppna strömmar avslutas genast.',
    leave: 'Lämna',
    leaveSays:
      'Du ser inte längre organisationens anläggningar, gateways och enheter; någon i den måste bjuda in dig igen.',
    roleOf: 'Roll för {id}',
  },
});

type MembersProps = { orgId: string; members: readonly Member[]; ownRole: Role; again(): void };

export function MembersCard({ orgId, members, ownRole, again }: MembersProps) {
  const leaving = useSignal<Member | undefined>(undefined);
  const isMe = ({ identity_id }: Member): boolean => identity_id === api().identityId;
  // Only an owner can make, change or remove an owner.
  const mayChange = ({ role }: Member): boolean => can(ownRole, role === 'owner' ? 'own' : 'manage');
  const remove = async ({ identity_id }: Member): Promise<void> => {
    await api().call(removeMember, { params: { org_id: orgId, identity_id } });
    if (identity_id === api().identityId) go('/app/organizations');
    else again();
  };
  return (
    <Card title={t('title')}>
      <Table
        caption={t('title')}
        rows={members}
        keyOf={({ identity_id }) => identity_id}
        columns={[
          {
            title: t('who'),
            show: (member) => (
              <span class="who">
                <code>{member.identity_id}</code> <CopyButton text={member.identity_id} />
                {isMe(member) && <span class="tag">{t('you')}</span>}
              </span>
            ),
          },
          {
            title: t('role'),
            show: (member) =>
              mayChange(member) ? (
                <RoleChoice orgId={orgId} member={member} ownRole={ownRole} again={again} />
              ) : (
                roleWords(member.role)
              ),
          },
          { title: t('since'), show: ({ joined_at }) => date(Date.parse(joined_at)) },
          {
            title: t('change'),
            show: (member) =>
              (isMe(member) || mayChange(member)) && (
                <button
                  type="button"
                  class="quiet"
                  aria-label={isMe(member) ? t('leave') : t('removeOf', { id: member.identity_id })}
                  onClick={() => {
                    leaving.value = member;
                  }}
                >
                  {t(isMe(member) ? 'leave' : 'remove')}
                </button>
              ),
          },
        ]}
      />
      {can(ownRole, 'manage') && <Invite orgId={orgId} ownRole={ownRole} />}
      {leaving.value && (
        <Confirm
          title={t(isMe(leaving.value) ? 'leave' : 'remove')}
          submit={t(isMe(leaving.value) ? 'leave' : 'remove')}
          work={() => remove(leaving.peek()!)}
          onClose={() => {
            leaving.value = undefined;
          }}
        >
          <p>
            <code>{leaving.value.identity_id}</code>
          </p>
          <p>{t(isMe(leaving.value) ? 'leaveSays' : 'removeSays')}</p>
        </Confirm>
      )}
    </Card>
  );
}

type ChoiceProps = { orgId: string; member: Member; ownRole: Role; again(): void };

/** The role of a member, to be changed; a change that is refused is taken back. */
function RoleChoice({ orgId, member, ownRole, again }: ChoiceProps) {
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
