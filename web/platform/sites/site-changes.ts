import type { Site, updateSite } from '#contract/cloud/sites.ts';
import type { RequestOf } from '#contract/route.ts';
import { boundValue, type EditableValue } from '../../parts/bound-value.ts';

const textFields = ['timezone', 'country', 'price_area', 'tariff_id'] as const;
const numberFields = ['latitude', 'longitude', 'fuse_a'] as const;

type Field = (typeof textFields)[number] | (typeof numberFields)[number];

/** Site settings as form texts; empty means not set. */
export type SiteForm = Record<'name' | Field, string>;

/** Returns the field of a form that a page edits. */
export const fieldOf = (form: EditableValue<SiteForm>, name: keyof SiteForm): EditableValue =>
  boundValue(
    () => form.value[name],
    (text) => (form.value = { ...form.value, [name]: text }),
  );

export const formOf = (site: Site): SiteForm => {
  const text = (field: Field): string => String(site[field] ?? '');
  return {
    name: site.name,
    latitude: text('latitude'),
    longitude: text('longitude'),
    timezone: text('timezone'),
    country: text('country'),
    price_area: text('price_area'),
    tariff_id: text('tariff_id'),
    fuse_a: text('fuse_a'),
  };
};

type Changes = RequestOf<typeof updateSite>['body'];

/** Returns the changed settings, null for emptied ones, or undefined if nothing changed. */
export function changesOf(site: Site, form: SiteForm): Changes | undefined {
  const before = formOf(site);
  const changes: Changes = {};
  const isChanged = (field: keyof SiteForm): boolean => form[field].trim() !== before[field];
  if (isChanged('name')) changes.name = form.name.trim();
  for (const field of textFields) if (isChanged(field)) changes[field] = form[field].trim() || null;
  for (const field of numberFields) {
    if (isChanged(field)) changes[field] = form[field].trim() === '' ? null : Number(form[field]);
  }
  return Object.keys(changes).length > 0 ? changes : undefined;
}
