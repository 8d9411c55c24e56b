import type { Signal } from '@preact/signals';
import { Field, Select } from '../../parts/field.tsx';
import { useLoad } from '../../parts/load.tsx';
import { texts } from '../../parts/text.ts';
import { areaChoices, listAreas } from '../market/areas.ts';

const t = texts({
  en: { area: 'Price area', none: 'Not set', says: 'SE1 to SE4 in Sweden.' },
  sv: { area: 'Elområde', none: 'Inte valt', says: 'SE1 till SE4 i Sverige.' },
});

/** The areas that the price service knows; a field for any where it does not answer. */
export function AreaChoice({ area }: { area: Signal<string> }) {
  const areas = useLoad(listAreas, []);
  if (!areas.value) return <Field label={t('area')} says={t('says')} value={area} placeholder="SE3" maxLength={16} />;
  const choices = [{ value: '', label: t('none') }, ...areaChoices(areas.value, area.value)];
  return <Select label={t('area')} value={area} choices={choices} />;
}
