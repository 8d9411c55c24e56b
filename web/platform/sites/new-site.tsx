import { useSignal } from '@preact/signals';
import { createOrganization, isChosen, listOrganizations } from '#contract/cloud/organizations.ts';
import { createSite } from '#contract/cloud/sites.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { DecimalField, Field } from '../../parts/field.tsx';
import { gather } from '../../parts/gather.ts';
import { go } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { may } from '../permissions.ts';
import { api } from '../session.ts';

const t = texts({
  en: {
    name: 'Name of the place',
    example: 'Home',
    area: 'Price area (may be left out)',
    areaSays: 'SE1 to SE4 in Sweden. With it the pages know what electricity costs there.',
    fuse: 'Main fuse in ampere (may be left out)',
    make: 'Make the site',
    group: 'Home',
  },
  sv: {
    name: 'Platsens namn',
    example: 'Hemma',
    area: 'Elområde (kan utelämnas)',
    areaSays: 'SE1 till SE4 i Sverige. Med det vet sidorna vad elen kostar där.',
    fuse: 'Huvudsäkring i ampere (kan utelämnas)',
    make: 'Skapa anläggningen',
    group: 'Hemma',
  },
});

/**
 * Finds an organization for the site, the `usual` one first: one that the person created or joined by invitation and may
 * manage. Without one, an organization is created.
 */
async function organizationId(usual: string | undefined): Promise<string> {
  const ids = (await gather(api().pages(listOrganizations))).filter(isChosen).map(({ id }) => id);
  for (const id of ids.toSorted((a, b) => Number(b === usual) - Number(a === usual))) {
    if (await may(id, 'manage')) return id;
  }
  return (await api().call(createOrganization, { body: { name: t('group') } })).id;
}

export function NewSite({ orgId }: { orgId?: string | undefined }) {
  const name = useSignal('');
  const area = useSignal('');
  const fuse = useSignal('');
  const make = useAction(async () => {
    const body = {
      org_id: await organizationId(orgId),
      name: name.value.trim() || t('example'),
      ...(area.value && { price_area: area.value.trim().toUpperCase() }),
      ...(fuse.value && { fuse_a: Number(fuse.value) }),
    };
    const { id } = await api().call(createSite, { body });
    go(`/app/sites/${encodeURIComponent(id)}`);
  });
  return (
    <ActionForm does={make} submit={t('make')}>
      <Field label={t('name')} value={name} placeholder={t('example')} maxLength={128} />
      <Field label={t('area')} says={t('areaSays')} value={area} placeholder="SE3" maxLength={16} />
      <DecimalField label={t('fuse')} value={fuse} min={1} max={10000} placeholder="20" />
    </ActionForm>
  );
}
