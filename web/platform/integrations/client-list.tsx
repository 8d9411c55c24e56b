import { useSignal } from '@preact/signals';
import { listClients, type OAuthClient, removeClient } from '#contract/cloud/oauth.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { date } from '../../parts/format.ts';
import { gather } from '../../parts/gather.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { NewClientForm } from './new-client.tsx';

const t = texts({
  en: {
    title: 'Applications',
    name: 'Name',
    id: 'Client id',
    addresses: 'Answers go to',
    kind: 'Secret',
    yes: 'has one',
    no: 'has none',
    since: 'Since',
    none: 'None is registered yet.',
    remove: 'Remove',
    question: 'Remove {name}?',
    says: 'Everybody who uses it is signed out of it, within seconds. Its id and secret cannot be used again.',
  },
  sv: {
    title: 'Appar',
    name: 'Namn',
    id: 'Klient-id',
    addresses: 'Svaren går till',
    kind: 'Hemlighet',
    yes: 'har en',
    no: 'har ingen',
    since: 'Sedan',
    none: 'Ingen är registrerad ännu.',
    remove: 'Ta bort',
    question: 'Ta bort {name}?',
    says: 'Alla som använder den loggas ut ur den, inom några sekunder. Dess id och hemlighet går inte att använda igen.',
  },
});

export function ClientList({ orgId }: { orgId: string }) {
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
            <p class="says">{t('none')}</p>
          ) : (
            <Table
              caption={t('title')}
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
