import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { can, type Role } from '#contract/access.ts';
import { createInvitation, type Invitation, listInvitations, withdrawInvitation } from '#contract/cloud/invitations.ts';
import { type Member, removeMember, updateMember } from '#contract/cloud/organizations.ts';
import { ActionForm, ConfirmButton, useAction, whileBusy } from '../../parts/action.tsx';
import { editable } from '../../parts/bound-value.ts';
import { BareSelect, Field, Select } from '../../parts/field.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { Card, Failed, Table } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { go } from '../../parts/router.tsx';
import { date, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { InvitationLink } from './invitation-link.tsx';
import { personWords } from './person-words.ts';
import { roleChoices, roleWords } from './role-words.ts';

const t = texts({
  title: 'Members',
  who: 'Member',
  since: 'Joined',
  removeOf: 'Remove {name}',
  removeSays:
    'This person loses access to the organization’s sites, gateways and devices. Open connections are closed immediately.',
  leave: 'Leave',
  leaveSays: 'You lose access to the organization’s sites, gateways and devices. To return, you need a new invitation.',
  roleOf: 'Role of {name}',
  invite: 'Invite a member',
  inviteSays: 'Creates a link for one person. It works once and is valid for seven days.',
  name: 'Note (optional)',
  create: 'Create link',
  note: 'Note',
  by: 'Invited by',
  nameless: 'no note',
  revokeOf: 'Revoke invitation: {name}',
  revokeSays: 'The link stops working immediately.',
});

const wordsOf = ({ name, identity_id }: Member): string => personWords(name, identity_id);

const isMe = ({ identity_id }: Member): boolean => identity_id === api().identityId;

type MembersProps = { orgId: string; members: readonly Member[]; ownRole: Role; again(): void };

export function MembersCard({ orgId, members, ownRole, again }: MembersProps) {
  // Only an owner can add, change or remove an owner.
  const mayChange = ({ role }: Member): boolean => can(ownRole, role === 'owner' ? 'own' : 'manage');
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
                {wordsOf(member)}
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
            title: t('actions'),
            isAction: true,
            show: (member) =>
              (isMe(member) || mayChange(member)) && <RemoveMember orgId={orgId} member={member} again={again} />,
          },
        ]}
      />
      {can(ownRole, 'manage') && <Invite orgId={orgId} ownRole={ownRole} />}
    </Card>
  );
}

type MemberProps = { orgId: string; member: Member; again(): void };

function RemoveMember({ orgId, member, again }: MemberProps) {
  const { identity_id } = member;
  const what = isMe(member) ? 'leave' : 'remove';
  const remove = async (): Promise<void> => {
    await api().call(removeMember, { params: { org_id: orgId, identity_id } });
    if (isMe(member)) go('/app/organizations');
    else again();
  };
  return (
    <ConfirmButton
      tone="quiet"
      label={t(what)}
      ariaLabel={isMe(member) ? t('leave') : t('removeOf', { name: wordsOf(member) })}
      work={remove}
      says={[wordsOf(member), t(`${what}Says`)]}
    />
  );
}

/** Changes the role of a member; a rejected change is reverted. */
function RoleChoice({ orgId, member, ownRole, again }: MemberProps & { ownRole: Role }) {
  const { identity_id } = member;
  const pending = useSignal({ of: member, role: member.role });
  const shown = pending.value.of === member ? pending.value.role : member.role; // a reloaded member overrides the choice
  const change = useAction(async () => {
    try {
      await api().call(updateMember, { params: { org_id: orgId, identity_id }, body: { role: pending.peek().role } });
    } catch (problem) {
      pending.value = { of: member, role: member.role };
      throw problem;
    }
    again();
  });
  const choose = (role: Role): void => {
    if (change.isBusy) return;
    pending.value = { of: member, role };
    void change.run();
  };
  return (
    <span class="role">
      <BareSelect
        value={editable(shown, choose)}
        choices={roleChoices(ownRole)}
        input={{ 'aria-label': t('roleOf', { name: wordsOf(member) }), ...whileBusy(change) }}
      />
      <Failed problem={change.problem} />
    </span>
  );
}

/** Creates invitation links and lists the pending ones. */
function Invite({ orgId, ownRole }: { orgId: string; ownRole: Role }) {
  const role = useSignal<Role>('viewer');
  const name = useSignal('');
  const place = useRef<HTMLElement>(null);
  useFocusFallback(place);
  const params = { org_id: orgId };
  const open = useLoad((signal) => Array.fromAsync(api().pages(listInvitations, { params, signal })), [orgId]);
  const invite = useAction(async () => {
    const note = name.value.trim();
    const body = { role: role.value, ...(note && { name: note }) };
    const made = await api().call(createInvitation, { params, body });
    name.value = '';
    open.again();
    return made;
  });
  const revoke = async (id: string): Promise<void> => {
    await api().call(withdrawInvitation, { params: { ...params, invitation_id: id } });
    if (invite.result?.id === id) invite.clear();
    open.again();
  };
  const nameOf = (invitation: Invitation): string => invitation.name ?? t('nameless');
  return (
    <section aria-label={t('invite')} tabIndex={-1} ref={place}>
      <h3>{t('invite')}</h3>
      <p class="says">{t('inviteSays')}</p>
      <ActionForm does={invite} submit={t('create')} class="invite">
        <Select label={t('role')} says={roleWords(role.value)} value={role} choices={roleChoices(ownRole)} />
        <Field label={t('name')} value={name} maxLength={128} />
      </ActionForm>
      {invite.result && <InvitationLink invitation={invite.result} />}
      <Loaded from={open} lines={1} empty={null}>
        {(invitations) => (
          <>
            <h3>{t('pendingInvitations')}</h3>
            <Table
              caption={t('pendingInvitations')}
              rows={invitations}
              keyOf={({ id }) => id}
              columns={[
                { title: t('note'), show: nameOf },
                { title: t('by'), show: ({ invited_by, invited_by_name }) => personWords(invited_by_name, invited_by) },
                { title: t('role'), show: (one) => roleWords(one.role) },
                { title: t('expires'), show: ({ expires_at }) => date(Date.parse(expires_at)) },
                {
                  title: t('actions'),
                  isAction: true,
                  show: (one) => (
                    <ConfirmButton
                      tone="quiet"
                      label={t('revoke')}
                      ariaLabel={t('revokeOf', { name: nameOf(one) })}
                      work={() => revoke(one.id)}
                      says={[nameOf(one), t('revokeSays')]}
                    />
                  ),
                },
              ]}
            />
          </>
        )}
      </Loaded>
    </section>
  );
}
