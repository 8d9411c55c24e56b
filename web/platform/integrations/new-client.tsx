import { useSignal } from '@preact/signals';
import { registerClient } from '#contract/cloud/oauth.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Code } from '../../parts/copy.tsx';
import { Field, Switch, TextArea } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';

const t = texts({
  en: {
    title: 'Register an application',
    name: 'Name that people will see',
    addresses: 'Addresses that answers go to',
    addressesSay: 'One in a line, exactly as the application sends it: https, or http on 127.0.0.1 with any port.',
    secret: 'It runs on a server and can keep a secret',
    register: 'Register it',
    made: '{name} is registered. Copy the secret now; it is not shown again.',
    madeOpen: '{name} is registered.',
    another: 'Register another',
    id: 'Client id',
    secretOf: 'Client secret',
  },
  sv: {
    title: 'Registrera en app',
    name: 'Namn som folk får se',
    addresses: 'Adresser dit svaren går',
    addressesSay: 'En per rad, precis som appen skickar den: https, eller http på 127.0.0.1 med vilken port som helst.',
    secret: 'Den körs på en server och kan bevara en hemlighet',
    register: 'Registrera den',
    made: '{name} är registrerad. Kopiera hemligheten nu; den visas inte igen.',
    madeOpen: '{name} är registrerad.',
    another: 'Registrera en till',
    id: 'Klient-id',
    secretOf: 'Klienthemlighet',
  },
});

type Made = { client_id: string; client_secret?: string; name: string };

export function NewClientForm({ orgId, onMade }: { orgId: string; onMade(): void }) {
  const name = useSignal('');
  const addresses = useSignal('');
  const confidential = useSignal(true);
  const made = useSignal<Made | undefined>(undefined);
  const register = useAction(async () => {
    const redirect_uris = addresses.value
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const body = { name: name.value.trim(), redirect_uris, confidential: confidential.value };
    made.value = await api().call(registerClient, { params: { org_id: orgId }, body });
    name.value = '';
    addresses.value = '';
    onMade();
  });
  const another = (): void => {
    made.value = undefined;
  };
  if (made.value) return <Registered client={made.value} onAnother={another} />;
  return (
    <>
      <h3>{t('title')}</h3>
      <ActionForm does={register} submit={t('register')}>
        <Field label={t('name')} value={name} maxLength={128} required />
        <TextArea label={t('addresses')} says={t('addressesSay')} value={addresses} rows={2} />
        <Switch
          label={t('secret')}
          isOn={confidential.value}
          onChange={(isOn) => {
            confidential.value = isOn;
          }}
        />
      </ActionForm>
    </>
  );
}

function Registered({ client, onAnother }: { client: Made; onAnother(): void }) {
  const { client_id, client_secret, name } = client;
  return (
    <Notice tone="good">
      <p>{t(client_secret === undefined ? 'madeOpen' : 'made', { name })}</p>
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
