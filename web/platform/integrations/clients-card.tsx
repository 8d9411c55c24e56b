import { useSignal } from '@preact/signals';
import { isChosen, listOrganizations, type Organization } from '#contract/cloud/organizations.ts';
import { Card } from '../../parts/card.tsx';
import { Select } from '../../parts/field.tsx';
import { gather } from '../../parts/gather.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Empty, Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { useMay } from '../own-role.ts';
import { api } from '../session.ts';
import { ClientList } from './client-list.tsx';

const t = texts({
  en: {
    title: 'What your organization registered',
    organization: 'Organization',
    choose: 'Choose…',
    none: 'You are in no organization yet',
    noneSays: 'Applications are registered by an organization. Make one under People first.',
    notYours: 'Only admins and owners of this organization see and register its applications.',
  },
  sv: {
    title: 'Vad din organisation har registrerat',
    organization: 'Organisation',
    choose: 'Välj…',
    none: 'Du är inte med i någon organisation ännu',
    noneSays: 'Appar registreras av en organisation. Skapa först en under Personer.',
    notYours: 'Bara administratörer och ägare i organisationen ser och registrerar dess appar.',
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
