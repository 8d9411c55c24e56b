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
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';

const t = texts({
  en: {
    title: 'What you allowed',
    name: 'Application',
    may: 'May',
    where: 'Where',
    since: 'Since',
    until: 'Until',
    none: 'You have allowed no application anything',
    noneSays: 'When one asks, it sends you to this platform and you decide there.',
    withdraw: 'Withdraw',
    question: 'Withdraw what {name} may?',
    says: 'It is signed out and sees nothing more, within seconds. It can ask again.',
  },
  sv: {
    title: 'Vad du har tillåtit',
    name: 'App',
    may: 'Får',
    where: 'Var',
    since: 'Sedan',
    until: 'Till',
    none: 'Du har inte tillåtit någon app något',
    noneSays: 'När en app frågar skickar den dig hit, och du bestämmer här.',
    withdraw: 'Ta tillbaka',
    question: 'Ta tillbaka det {name} får?',
    says: 'Den loggas ut och ser inget mer, inom några sekunder. Den kan fråga igen.',
  },
});

export function ConsentsCard() {
  const loaded = useLoad(async (signal) => {
    const [consents, organizations] = await Promise.all([
      gather(api().pages(listConsents, { signal })),
      gather(api().pages(listOrganizations, { signal })),
    ]);
    return { consents, names: new Map(organizations.map(({ id, name }) => [id, name])) };
  }, []);
  const leaving = useSignal<Consent | undefined>(undefined);
  const withdraw = async (): Promise<void> => {
    await api().call(withdrawConsent, { params: { consent_id: leaving.peek()!.id } });
    loaded.again();
  };
  return (
    <Card title={t('title')}>
      <Loaded from={loaded}>
        {({ consents, names }) =>
          consents.length === 0 ? (
            <Empty title={t('none')}>
              <p class="says">{t('noneSays')}</p>
            </Empty>
          ) : (
            <Table
              caption={t('title')}
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
                      aria-label={`${t('withdraw')}: ${consent.client_name}`}
                      onClick={() => {
                        leaving.value = consent;
                      }}
                    >
                      {t('withdraw')}
                    </button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {leaving.value && (
        <Confirm
          title={t('question', { name: leaving.value.client_name })}
          submit={t('withdraw')}
          work={withdraw}
          onClose={() => {
            leaving.value = undefined;
          }}
        >
          <p>{t('says')}</p>
        </Confirm>
      )}
    </Card>
  );
}
