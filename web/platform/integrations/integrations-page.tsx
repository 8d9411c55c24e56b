import { useSignal } from '@preact/signals';
import { type Consent, listConsents, withdrawConsent } from '#contract/cloud/oauth.ts';
import { listOrganizations } from '#contract/cloud/organizations.ts';
import { scopeInWords } from '../../oauth/scope-words.ts';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { date } from '../../parts/format.ts';
import { gather } from '../../parts/gather.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Empty } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { ClientsCard } from './clients-card.tsx';
import './integrations.css';

const t = texts({
  title: ['Applications', 'Appar'],
  says: [
    'Dashboards and services from others can sign you in and access only what you allow.',
    'Instrumentpaneler och tjänster från andra kan logga in dig och kommer bara åt det du tillåter.',
  ],
  titleConsents: ['Connected applications', 'Anslutna appar'],
  name: ['Application', 'App'],
  may: ['Permissions', 'Behörigheter'],
  where: ['Organizations', 'Organisationer'],
  since: ['Connected', 'Ansluten'],
  until: ['Expires', 'Går ut'],
  none: ['No connected applications', 'Inga anslutna appar'],
  noneSays: [
    'When an application asks for access, you approve or decline it here.',
    'När en app ber om åtkomst godkänner eller nekar du den här.',
  ],
  revoke: ['Revoke access', 'Återkalla åtkomst'],
  question: ['Revoke access for {name}?', 'Återkalla åtkomst för {name}?'],
  saysConsents: [
    'The application is signed out within seconds. It can ask for access again.',
    'Appen loggas ut inom några sekunder. Den kan be om åtkomst igen.',
  ],
});

export default function IntegrationsPage() {
  return (
    <div class="integrations">
      <PageHead title={t('title')} says={t('says')} />
      <ConsentsCard />
      <ClientsCard />
    </div>
  );
}

function ConsentsCard() {
  const loaded = useLoad(async (signal) => {
    const [consents, organizations] = await Promise.all([
      gather(api().pages(listConsents, { signal })),
      gather(api().pages(listOrganizations, { signal })),
    ]);
    return { consents, names: new Map(organizations.map(({ id, name }) => [id, name])) };
  }, []);
  const revoking = useSignal<Consent | undefined>(undefined);
  const revoke = async ({ id }: Consent): Promise<void> => {
    await api().call(withdrawConsent, { params: { consent_id: id } });
    loaded.again();
  };
  const chosen = revoking.value;
  return (
    <Card title={t('titleConsents')}>
      <Loaded from={loaded}>
        {({ consents, names }) =>
          consents.length === 0 ? (
            <Empty title={t('none')}>
              <p class="says">{t('noneSays')}</p>
            </Empty>
          ) : (
            <Table
              caption={t('titleConsents')}
              rows={consents}
              keyOf={({ id }) => id}
              columns={[
                { title: t('name'), show: ({ client_name }) => client_name },
                { title: t('may'), show: ({ scopes }) => scopes.map(scopeInWords).join('; ') },
                {
                  title: t('where'),
                  show: ({ org_ids }) => org_ids.map((id) => names.get(id) ?? id).join(', ') || '–',
                },
                { title: t('since'), show: ({ created_at }) => date(Date.parse(created_at)) },
                { title: t('until'), show: ({ expires_at }) => date(Date.parse(expires_at)) },
                {
                  title: '',
                  show: (consent) => (
                    <button
                      type="button"
                      aria-label={`${t('revoke')}: ${consent.client_name}`}
                      onClick={() => (revoking.value = consent)}
                    >
                      {t('revoke')}
                    </button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {chosen && (
        <Confirm
          title={t('question', { name: chosen.client_name })}
          submit={t('revoke')}
          work={() => revoke(chosen)}
          onClose={() => (revoking.value = undefined)}
        >
          <p>{t('saysConsents')}</p>
        </Confirm>
      )}
    </Card>
  );
}
