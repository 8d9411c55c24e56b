import { useSignal } from '@preact/signals';
import { listClients, type OAuthClient, removeClient } from '#contract/cloud/oauth.ts';
import { isChosen, listOrganizations, type Organization } from '#contract/cloud/organizations.ts';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Select } from '../../parts/field.tsx';
import { date } from '../../parts/format.ts';
import { gather } from '../../parts/gather.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Empty, Notice } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { NewClientForm } from './new-client.tsx';

const t = texts({
  en: {
    title: 'What your organization registered',
    organization: 'Organization',
    choose: 'Choose…',
    none: 'You are in no organization yet',
    noneSays: 'Applications are registered by an organization. Make one under People first.',
    notYours: 'Only admins and owners of this organization see and register its applications.',
    titleList: 'Applications',
    name: 'Name',
    id: 'Client id',
    addresses: 'Answers go to',
    kind: 'Secret',
    yes: 'has one',
    no: 'has none',
    since: 'Since',
    noneList: 'None is registered yet.',
    remove: 'Remove',
    question: 'Remove {name}?',
    says: 'Everybody who uses it is signed out of it, within seconds. Its id and secret cannot be used again.',
  },
  sv: {
    title: 'Vad din organisation har registrerat',
    organization: 'Organisation',
    choose: 'Välj…',
    none: 'Du är inte med i någon organisation ännu',
    noneSays: 'Appar registreras av en organisation. Skapa först en under Personer.',
    notYours: 'Bara administratörer och ägare i organisationen ser och registrerar dess appar.',
    titleList: 'Appar',
    name: 'Namn',
    id: 'Klient-id',
    addresses: 'Svaren går till',
    kind: 'Hemlighet',
    yes: 'har en',
    no: 'har ingen',
    since: 'Sedan',
    noneList: 'Ingen är registrerad ännu.',
    remove: 'Ta bort',
    question: 'Ta bort {name}?',
    says: 'Alla som använder den loggas ut ur den, inom några sekunder. Dess id och hemlighet går inte att använda igen.',
  },
});

export function ClientsCard() {
  const loaded = useLoad((signal) => gather(api().pages(listOrganizations, { signal })), []);
  return (
    <Card title={t('title')}>
      <Loaded from={loaded}>
        {(organizations) =>
          organizations.length === 0 ? (
            <Empty title={t('none')}>
              <p class="says">{t('noneSays')}</p>
            </Empty>
          ) : (
            <OfOne organizations={organizations} />
          )
        }
      </Loaded>
    </Card>
  );
}

function OfOne({ organizations }: { organizations: readonly Organization[] }) {
  const chosen = useSignal(organizations.find(isChosen)?.id ?? '');
  const named = organizations.map(({ id, name }) => ({ value: id, label: name }));
  const choices = chosen.value ? named : [{ value: '', label: t('choose') }, ...named];
  return (
    <>
      {choices.length > 1 && <Select label={t('organization')} value={chosen} choices={choices} />}
      {chosen.value && <OfChosen key={chosen.value} orgId={chosen.value} />}
    </>
  );
}

function OfChosen({ orgId }: { orgId: string }) {
  return useMay(orgId, 'manage') ? <ClientList orgId={orgId} /> : <Notice>{t('notYours')}</Notice>;
}

function ClientList({ orgId }: { orgId: string }) {
  const params = { org_id: orgId };
  const loaded = useLoad((signal) => gather(api().pages(listClients, { params, signal })), [orgId]);
  const leaving = useSignal<OAuthClient | undefined>(undefined);
  const remove = async (): Promise<void> => {
    await api().call(removeClient, { params: { ...params, client_id: leaving.peek()!.client_id } });
    loaded.again();
  };
  return (
    <>
      <Loaded from={loaded}>
        {(clients) =>
          clients.length === 0 ? (
            <p class="says">{t('noneList')}</p>
          ) : (
            <Table
              caption={t('titleList')}
              rows={clients}
              keyOf={({ client_id }) => client_id}
              columns={[
                { title: t('name'), show: ({ name }) => name },
                { title: t('id'), show: ({ client_id }) => <code>{client_id}</code> },
                { title: t('addresses'), show: ({ redirect_uris }) => <code>{redirect_uris.join(' ')}</code> },
                { title: t('kind'), show: ({ confidential }) => t(confidential ? 'yes' : 'no') },
                { title: t('since'), show: ({ created_at }) => date(Date.parse(created_at)) },
                {
                  title: '',
                  show: (client) => (
                    <button
                      type="button"
                      aria-label={`${t('remove')}: ${client.name}`}
                      onClick={() => {
                        leaving.value = client;
                      }}
                    >
                      {t('remove')}
                    </button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <NewClientForm orgId={orgId} onMade={loaded.again} />
      {leaving.value && (
        <Confirm
          title={t('question', { name: leaving.value.name })}
          submit={t('remove')}
          work={remove}
          onClose={() => {
            leaving.value = undefined;
          }}
        >
          <p>{t('says')}</p>
        </Confirm>
      )}
    </>
  );
}
