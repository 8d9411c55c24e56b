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
import { ActionForm, useAction } from '../../parts/action.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { date } from '../../parts/format.ts';
import { gather } from '../../parts/gather.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { roleChoices, roleWords } from './role-words.ts';

const t = texts({
  en: {
    title: 'Invite somebody',
    says: 'You get a link to send to one person. It works once, for seven days.',
    role: 'Role',
    name: 'For whom (optional)',
    make: 'Create a link',
    ready: 'Send this link to the person you invite, and to nobody else. It is not shown again.',
    copy: 'Copy the link',
    open: 'Open invitations',
    who: 'For',
    nameless: 'not noted',
    until: 'Valid until',
    change: 'Change',
    withdraw: 'Withdraw',
    withdrawOf: 'Withdraw the invitation for {name}',
    withdrawSays: 'The link stops working at once.',
  },
  sv: {
    title: 'Bjud in någon',
    says: 'Du får en länk att skicka till en person. Den fungerar en gång, i sju dagar.',
    role: 'Roll',
    name: 'Till vem (valfritt)',
    make: 'Skapa en länk',
    ready: 'Skicka länken till den du bjuder in och till ingen annan. Den visas inte igen.',
    copy: 'Kopiera länken',
    open: 'Öppna inbjudningar',
    who: 'Till',
    nameless: 'inte angivet',
    until: 'Gäller till',
    change: 'Ändra',
    withdraw: 'Dra tillbaka',
    withdrawOf: 'Dra tillbaka inbjudan till {name}',
    withdrawSays: 'Länken slutar fungera direkt.',
  },
});

/** Makes links for new members, and lists those that nobody has used yet. */
export function Invite({ orgId, ownRole }: { orgId: string; ownRole: Role }) {
  const role = useSignal('viewer');
  const name = useSignal('');
  const made = useSignal<NewInvitation | undefined>(undefined);
  const withdrawing = useSignal<Invitation | undefined>(undefined);
  const place = useRef<HTMLElement>(null);
  useFocusFallback(place);
  const params = { org_id: orgId };
  const open = useLoad((signal) => gather(api().pages(listInvitations, { params, signal })), [orgId]);
  const invite = useAction(async () => {
    const note = name.value.trim();
    const body = { role: role.value as Role, ...(note && { name: note }) };
    made.value = await api().call(createInvitation, { params, body });
    name.value = '';
    open.again();
  });
  const withdraw = async ({ id }: Invitation): Promise<void> => {
    await api().call(withdrawInvitation, { params: { ...params, invitation_id: id } });
    if (made.peek()?.id === id) made.value = undefined;
    open.again();
  };
  const nameOf = (invitation: Invitation): string => invitation.name ?? t('nameless');
  return (
    <section aria-label={t('title')} tabIndex={-1} ref={place}>
      <h3>{t('title')}</h3>
      <p class="says">{t('says')}</p>
      <ActionForm does={invite} submit={t('make')} class="invite">
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
      <Loaded from={open} lines={1}>
        {(invitations) =>
          invitations.length > 0 && (
            <>
              <h3>{t('open')}</h3>
              <Table
                caption={t('open')}
                rows={invitations}
                keyOf={({ id }) => id}
                columns={[
                  { title: t('who'), show: nameOf },
                  { title: t('role'), show: (one) => roleWords(one.role) },
                  { title: t('until'), show: ({ expires_at }) => date(Date.parse(expires_at)) },
                  {
                    title: t('change'),
                    show: (one) => (
                      <button
                        type="button"
                        class="quiet"
                        aria-label={t('withdrawOf', { name: nameOf(one) })}
                        onClick={() => {
                          withdrawing.value = one;
                        }}
                      >
                        {t('withdraw')}
                      </button>
                    ),
                  },
                ]}
              />
            </>
          )
        }
      </Loaded>
      {withdrawing.value && (
        <Confirm
          title={t('withdraw')}
          submit={t('withdraw')}
          work={() => withdraw(withdrawing.peek()!)}
          onClose={() => {
            withdrawing.value = undefined;
          }}
        >
          <p>{nameOf(withdrawing.value)}</p>
          <p>{t('withdrawSays')}</p>
        </Confirm>
      )}
    </section>
  );
}
