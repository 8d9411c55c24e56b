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
  name: ['Site name', 'Anläggningens namn'],
  example: ['Home', 'Hemma'],
  area: ['Price area (optional)', 'Elområde (valfritt)'],
  areaSays: [
    'SE1 to SE4 in Sweden. Used to show electricity prices.',
    'SE1–SE4 i Sverige. Används för att visa elpriser.',
  ],
  fuse: ['Main fuse in amperes (optional)', 'Huvudsäkring i ampere (valfritt)'],
  make: ['Create site', 'Skapa anläggning'],
  group: ['Home', 'Hemma'],
});

/**
 * Returns an organization that the person created or joined by invitation and may manage, preferring `usual`; creates one
 * if there is none.
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
