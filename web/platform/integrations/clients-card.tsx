import { useSignal } from '@preact/signals';
import { listClients, registerClient, removeClient } from '#contract/cloud/oauth.ts';
import { isChosen, type Organization } from '#contract/cloud/organizations.ts';
import { ActionForm, Button, ConfirmButton, useAction } from '../../parts/action.tsx';
import { Code } from '../../parts/copy.tsx';
import { Field, Select, Switch } from '../../parts/field.tsx';
import { Card, Empty, Notice } from '../../parts/layout.tsx';
import { Loaded, LoadedTable, useLoad } from '../../parts/load.tsx';
import { date, texts } from '../../parts/text.ts';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { allOrganizations } from '../site.ts';

const t = texts({
  title: 'Your organization’s applications',
  none: 'You are not a member of an organization',
  noneSays: 'Create one under Organizations to register applications.',
  notYours: 'Only admins and owners can see and register applications.',
  id: 'Client ID',
  addresses: 'Redirect URIs',
  kind: 'Client secret',
  since: 'Registered',
  empty: 'No applications registered yet.',
  question: 'Remove {name}?',
  says: 'Everyone who uses it is signed out within seconds. Its client ID and secret stop working for good.',
  registerTitle: 'Register application',
  shownName: 'Name shown to users',
  addressesSay: 'One per line, exactly as the application sends it: https, or http on 127.0.0.1 with any port.',
  secret: 'Runs on a server and can keep a secret',
  register: 'Register',
  registered: '{name} has been registered. Copy the secret now; it is not shown again.',
  registeredPublic: '{name} has been registered.',
  another: 'Register another',
});

export function ClientsCard() {
  const loaded = useLoad(allOrganizations, []);
  return (
    <Card title={t('title')}>
      <Loaded from={loaded} empty={<Empty title={t('none')} says={t('noneSays')} />}>
        {(organizations) => <OrganizationClients organizations={organizations} />}
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
  const mayManage = useMay(orgId, 'manage');
  if (mayManage === undefined) return null;
  return mayManage ? <ClientList orgId={orgId} /> : <Notice>{t('notYours')}</Notice>;
}

function ClientList({ orgId }: { orgId: string }) {
  const params = { org_id: orgId };
  const loaded = useLoad((signal) => Array.fromAsync(api().pages(listClients, { params, signal })), [orgId]);
  const remove = async (client_id: string): Promise<void> => {
    await api().call(removeClient, { params: { ...params, client_id } });
    loaded.again();
  };
  return (
    <>
      <LoadedTable
        caption={t('applications')}
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
                says={t('says')}
                work={() => remove(client_id)}
              />
            ),
          },
        ]}
      />
      <NewClientForm orgId={orgId} onMade={loaded.again} />
    </>
  );
}

type RegisteredClient = { client_id: string; client_secret?: string; name: string };

function NewClientForm({ orgId, onMade }: { orgId: string; onMade(): void }) {
  const name = useSignal('');
  const addresses = useSignal('');
  const confidential = useSignal(true);
  const register = useAction(async () => {
    const lines = addresses.value.split('\n').map((line) => line.trim());
    const redirect_uris = lines.filter(Boolean);
    const body = { name: name.value.trim(), redirect_uris, confidential: confidential.value };
    const client = await api().call(registerClient, { params: { org_id: orgId }, body });
    name.value = '';
    addresses.value = '';
    onMade();
    return client;
  });
  if (register.result) return <Registered client={register.result} onAnother={register.clear} />;
  return (
    <>
      <h3>{t('registerTitle')}</h3>
      <ActionForm does={register} submit={t('register')}>
        <Field label={t('shownName')} value={name} maxLength={128} required />
        <Field label={t('addresses')} says={t('addressesSay')} value={addresses} rows={2} />
        <Switch label={t('secret')} value={confidential} />
      </ActionForm>
    </>
  );
}

function Registered({ client, onAnother }: { client: RegisteredClient; onAnother(): void }) {
  const { client_id, client_secret, name } = client;
  return (
    <Notice tone="good">
      <p>{t(client_secret === undefined ? 'registeredPublic' : 'registered', { name })}</p>
      <p>{t('id')}</p>
      <Code>{client_id}</Code>
      {client_secret !== undefined && (
        <>
          <p>{t('kind')}</p>
          <Code>{client_secret}</Code>
        </>
      )}
      <div class="actions">
        <Button label={t('another')} onClick={onAnother} />
      </div>
    </Notice>
  );
}
