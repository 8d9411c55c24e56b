import { listConsents, withdrawConsent } from '#contract/cloud/oauth.ts';
import { scopeWords } from '../../oauth/scope-words.ts';
import { ConfirmButton } from '../../parts/action.tsx';
import { Card, Empty, PageHead } from '../../parts/layout.tsx';
import { LoadedTable, useLoad } from '../../parts/load.tsx';
import { date, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { organizationNames } from '../site.ts';
import { ClientsCard } from './clients-card.tsx';
import './integrations.css';

const t = texts({
  says: 'Dashboards and services from others can sign you in and access only what you allow.',
  titleConsents: 'Connected applications',
  name: 'Application',
  may: 'Permissions',
  none: 'No connected applications',
  noneSays: 'When an application asks for access, you approve or decline it here.',
  revoke: 'Revoke access',
  question: 'Revoke access for {name}?',
  saysConsents: 'The application is signed out within seconds. It can ask for access again.',
});

export default function IntegrationsPage() {
  return (
    <div class="integrations">
      <PageHead title={t('applications')} says={t('says')} />
      <ConsentsCard />
      <ClientsCard />
    </div>
  );
}

function ConsentsCard() {
  const loaded = useLoad(async (signal) => {
    const [consents, names] = await Promise.all([
      Array.fromAsync(api().pages(listConsents, { signal })),
      organizationNames(signal),
    ]);
    return consents.map((consent) => ({ ...consent, where: consent.org_ids.map((id) => names.get(id) ?? id) }));
  }, []);
  const revoke = async (consent_id: string): Promise<void> => {
    await api().call(withdrawConsent, { params: { consent_id } });
    loaded.again();
  };
  return (
    <Card title={t('titleConsents')}>
      <LoadedTable
        caption={t('titleConsents')}
        from={loaded}
        empty={<Empty title={t('none')} says={t('noneSays')} />}
        keyOf={({ id }) => id}
        columns={[
          { title: t('name'), show: ({ client_name }) => client_name },
          { title: t('may'), show: ({ scopes }) => scopes.map((scope) => scopeWords(scope)).join('; ') },
          { title: t('organizations'), show: ({ where }) => where.join(', ') || '–' },
          { title: t('connected'), show: ({ created_at }) => date(Date.parse(created_at)) },
          { title: t('expires'), show: ({ expires_at }) => date(Date.parse(expires_at)) },
          {
            title: '',
            show: ({ id, client_name: name }) => (
              <ConfirmButton
                tone="plain"
                label={t('revoke')}
                ariaLabel={`${t('revoke')}: ${name}`}
                title={t('question', { name })}
                says={t('saysConsents')}
                work={() => revoke(id)}
              />
            ),
          },
        ]}
      />
    </Card>
  );
}
