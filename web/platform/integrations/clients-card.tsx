import { useSignal } from '@preact/signals';
import { listClients, removeClient } from '#contract/cloud/oauth.ts';
import { isChosen, type Organization } from '#contract/cloud/organizations.ts';
import { Card } from '../../parts/card.tsx';
import { ConfirmButton } from '../../parts/dialog.tsx';
import { Select } from '../../parts/field.tsx';
import { date } from '../../parts/format.ts';
import { gather } from '../../parts/gather.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Empty, Notice } from '../../parts/notice.tsx';
import { LoadedTable } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { allOrganizations } from '../site.ts';
import { NewClientForm } from './new-client.tsx';

const t = texts({
  title: ['Your organization’s applications', 'Organisationens appar'],
  organization: ['Organization', 'Organisation'],
  choose: ['Choose…', 'Välj…'],
  none: ['You are not a member of an organization', 'Du är inte medlem i någon organisation'],
  noneSays: [
    'Create one under Organizations to register applications.',
    'Skapa en under Organisationer för att registrera appar.',
  ],
  notYours: [
    'Only admins and owners can see and register applications.',
    'Bara administratörer och ägare kan se och registrera appar.',
  ],
  list: ['Applications', 'Appar'],
  name: ['Name', 'Namn'],
  id: ['Client ID', 'Klient-ID'],
  addresses: ['Redirect URIs', 'Omdirigerings-URI:er'],
  kind: ['Client secret', 'Klienthemlighet'],
  yes: ['Yes', 'Ja'],
  no: ['No', 'Nej'],
  since: ['Registered', 'Registrerad'],
  empty: ['No applications registered yet.', 'Inga appar registrerade ännu.'],
  remove: ['Remove', 'Ta bort'],
  question: ['Remove {name}?', 'Ta bort {name}?'],
  says: [
    'Everyone who uses it is signed out within seconds. Its client ID and secret stop working for good.',
    'Alla som använder den loggas ut inom några sekunder. Klient-ID och hemlighet slutar att fungera för gott.',
  ],
});

export function ClientsCard() {
  const loaded = useLoad(allOrganizations, []);
  return (
    <Card title={t('title')}>
      <Loaded from={loaded}>
        {(organizations) =>
          organizations.length === 0 ? (
            <Empty title={t('none')} says={t('noneSays')} />
          ) : (
            <OrganizationClients organizations={organizations} />
          )
        }
      </Loaded>
    </Card>
  );
}

function OrganizationClients({ organizations }: { organizations: readonly Organization[] }) {
  const chosen = useSignal(organizations.find(isChosen)?.id ?? '');
  const named = organizations.map(({ id, name }) => ({ value: id, label: name }));
  const choices = chosen.value ? named : [{ value: '', label: t('choose') }, ...named];
  return (
    <>
      {choices.length > 1 && <Select label={t('organization')} value={chosen} choices={choices} />}
      {chosen.value && <ManagedClients key={chosen.value} orgId={chosen.value} />}
    </>
  );
}

function ManagedClients({ orgId }: { orgId: string }) {
  return useMay(orgId, 'manage') ? <ClientList orgId={orgId} /> : <Notice>{t('notYours')}</Notice>;
}

function ClientList({ orgId }: { orgId: string }) {
  const params = { org_id: orgId };
  const loaded = useLoad((signal) => gather(api().pages(listClients, { params, signal })), [orgId]);
  const remove = async (client_id: string): Promise<void> => {
    await api().call(removeClient, { params: { ...params, client_id } });
    loaded.again();
  };
  return (
    <>
      <LoadedTable
        caption={t('list')}
        from={loaded}
        empty={<p class="says">{t('empty')}</p>}
        keyOf={({ client_id }) => client_id}
        columns={[
          { title: t('name'), show: ({ name }) => name },
          { title: t('id'), show: ({ client_id }) => <code>{client_id}</code> },
          { title: t('addresses'), show: ({ redirect_uris }) => <code>{redirect_uris.join(' ')}</code> },
          { title: t('kind'), show: ({ confidential }) => t(confidential ? 'yes' : 'no') },
          { title: t('since'), show: ({ created_at }) => date(Date.parse(created_at)) },
          {
            title: '',
            show: ({ client_id, name }) => (
              <ConfirmButton
                tone="plain"
                label={t('remove')}
                ariaLabel={`${t('remove')}: ${name}`}
                title={t('question', { name })}
                work={() => remove(client_id)}
              >
                <p>{t('says')}</p>
              </ConfirmButton>
            ),
          },
        ]}
      />
      <NewClientForm orgId={orgId} onMade={loaded.again} />
    </>
  );
}
