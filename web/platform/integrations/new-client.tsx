import { useSignal } from '@preact/signals';
import { registerClient } from '#contract/cloud/oauth.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Code } from '../../parts/copy.tsx';
import { Field, Switch, TextArea } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';

const t = texts({
  title: ['Register application', 'Registrera app'],
  name: ['Name shown to users', 'Namn som visas för användare'],
  addresses: ['Redirect URIs', 'Omdirigerings-URI:er'],
  addressesSay: [
    'One per line, exactly as the application sends it: https, or http on 127.0.0.1 with any port.',
    'En per rad, exakt som appen skickar den: https, eller http på 127.0.0.1 med valfri port.',
  ],
  secret: ['Runs on a server and can keep a secret', 'Körs på en server och kan hålla en hemlighet'],
  register: ['Register', 'Registrera'],
  registered: [
    '{name} has been registered. Copy the secret now; it is not shown again.',
    '{name} har registrerats. Kopiera hemligheten nu; den visas inte igen.',
  ],
  registeredPublic: ['{name} has been registered.', '{name} har registrerats.'],
  another: ['Register another', 'Registrera en till'],
  id: ['Client ID', 'Klient-ID'],
  secretOf: ['Client secret', 'Klienthemlighet'],
});

type RegisteredClient = { client_id: string; client_secret?: string; name: string };

export function NewClientForm({ orgId, onMade }: { orgId: string; onMade(): void }) {
  const name = useSignal('');
  const addresses = useSignal('');
  const confidential = useSignal(true);
  const made = useSignal<RegisteredClient | undefined>(undefined);
  const register = useAction(async () => {
    const redirect_uris = addresses.value
      .trim()
      .split(/\s*\n\s*/)
      .filter(Boolean);
    const body = { name: name.value.trim(), redirect_uris, confidential: confidential.value };
    made.value = await api().call(registerClient, { params: { org_id: orgId }, body });
    name.value = '';
    addresses.value = '';
    onMade();
  });
  if (made.value) return <Registered client={made.value} onAnother={() => (made.value = undefined)} />;
  return (
    <>
      <h3>{t('title')}</h3>
      <ActionForm does={register} submit={t('register')}>
        <Field label={t('name')} value={name} maxLength={128} required />
        <TextArea label={t('addresses')} says={t('addressesSay')} value={addresses} rows={2} />
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
          <p>{t('secretOf')}</p>
          <Code>{client_secret}</Code>
        </>
      )}
      <div class="actions">
        <button type="button" onClick={onAnother}>
          {t('another')}
        </button>
      </div>
    </Notice>
  );
}
