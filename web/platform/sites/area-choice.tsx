import type { Signal } from '@preact/signals';
import { electricityRoutesA } from '#contract/price/routes.ts';
import { Field, Select } from '../../parts/field.tsx';
import { useLoad } from '../../parts/load.tsx';
import { language, texts } from '../../parts/text.ts';
import { prices } from '../prices/market.ts';

const t = texts({
  en: { area: 'Price area', none: 'Not set', says: 'SE1 to SE4 in Sweden.' },
  sv: { area: 'Elområde', none: 'Inte valt', says: 'SE1 till SE4 i Sverige.' },
});

/** The areas that the price service knows; a field for any where it does not answer. */
export function AreaChoice({ area }: { area: Signal<string> }) {
  const areas = useLoad((signal) => prices.call(electricityRoutesA.listAreas, { signal }), []);
  if (!areas.value) return <Field label={t('area')} says={t('says')} value={area} placeholder="SE3" maxLength={16} />;
  const names = new Intl.DisplayNames(language.value, { type: 'region' });
  const known = areas.value.areas.map((each) => ({
    value: each.area,
    label: `${each.area}, ${names.of(each.area.slice(0, 2)) ?? each.country}`,
  }));
  const isListed = area.value === '' || known.some(({ value }) => value === area.value);
  return (
    <Select
      label={t('area')}
      value={area}
      choices={[
        { value: '', label: t('none') },
        ...(isListed ? [] : [{ value: area.value, label: area.value }]),
        ...known,
      ]}
    />
  );
}
