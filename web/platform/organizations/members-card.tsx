import { useSignal } from '@preact/signals';
import { can, type Role } from '#contract/access.ts';
import { type Member, removeMember } from '#contract/cloud/organizations.ts';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { date } from '../../parts/format.ts';
import { go } from '../../parts/router.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { Invite } from './invite.tsx';
import { RoleChoice } from './role-choice.tsx';
import { roleWords } from './role-words.ts';

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
