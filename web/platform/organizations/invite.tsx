import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Role } from '#contract/access.ts';
import {
  createInvitation,
  type Invitation,
  listInvitations,
  type NewInvitation,
  withdrawInvitation,
} from '#contract/cloud/invitations.ts';
import { ActionForm, ConfirmButton, useAction } from '../../parts/action.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { Notice, Table } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { date, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { roleChoices, roleWords } from './role-words.ts';

const t = texts({
  title: ['Invite a member', 'Bjud in en medlem'],
  says: [
    'Creates a link for one person. It works once and is valid for seven days.',
    'Skapar en länk till en person. Den fungerar en gång och gäller i sju dagar.',
  ],
  name: ['Note (optional)', 'Anteckning (valfri)'],
  create: ['Create link', 'Skapa länk'],
  ready: [
    'Send this link only to the person you invite. It is not shown again.',
    'Skicka länken bara till den du bjuder in. Den visas inte igen.',
  ],
  copy: ['Copy link', 'Kopiera länk'],
  who: ['Note', 'Anteckning'],
  nameless: ['no note', 'ingen anteckning'],
  revokeOf: ['Revoke invitation: {name}', 'Återkalla inbjudan: {name}'],
  revokeSays: ['The link stops working immediately.', 'Länken slutar fungera direkt.'],
});

/** Creates invitation links and lists the pending ones. */
export function Invite({ orgId, ownRole }: { orgId: string; ownRole: Role }) {
  const role = useSignal<Role>('viewer');
  const name = useSignal('');
  const made = useSignal<NewInvitation>();
  const place = useRef<HTMLElement>(null);
  useFocusFallback(place);
  const params = { org_id: orgId };
  const open = useLoad((signal) => Array.fromAsync(api().pages(listInvitations, { params, signal })), [orgId]);
  const invite = useAction(async () => {
    const note = name.value.trim();
    const body = { role: role.value, ...(note && { name: note }) };
    made.value = await api().call(createInvitation, { params, body });
    name.value = '';
    open.again();
  });
  const revoke = async (id: string): Promise<void> => {
    await api().call(withdrawInvitation, { params: { ...params, invitation_id: id } });
    if (made.peek()?.id === id) made.value = undefined;
    open.again();
  };
  const nameOf = (invitation: Invitation): string => invitation.name ?? t('nameless');
  return (
    <section aria-label={t('title')} tabIndex={-1} ref={place}>
      <h3>{t('title')}</h3>
      <p class="says">{t('says')}</p>
      <ActionForm does={invite} submit={t('create')} class="invite">
        <Select label={t('role')} value={role} choices={roleChoices(ownRole)} />
        <Field label={t('name')} value={name} maxLength={128} />
      </ActionForm>
      {made.value && (
        <Notice tone="good">
          <p>{t('ready')}</p>
          <p class="link">
            <code>{made.value.url}</code>
          </p>
          <CopyButton text={made.value.url} label={t('copy')} />
        </Notice>
      )}
      <Loaded from={open} lines={1} empty={null}>
        {(invitations) => (
          <>
            <h3>{t('pendingInvitations')}</h3>
            <Table
              caption={t('pendingInvitations')}
              rows={invitations}
              keyOf={({ id }) => id}
              columns={[
                { title: t('who'), show: nameOf },
                { title: t('role'), show: (one) => roleWords(one.role) },
                { title: t('expires'), show: ({ expires_at }) => date(Date.parse(expires_at)) },
                {
                  title: t('actions'),
                  show: (one) => (
                    <ConfirmButton
                      tone="quiet"
                      label={t('revoke')}
                      ariaLabel={t('revokeOf', { name: nameOf(one) })}
                      work={() => revoke(one.id)}
                    >
                      <p>{nameOf(one)}</p>
                      <p>{t('revokeSays')}</p>
                    </ConfirmButton>
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
