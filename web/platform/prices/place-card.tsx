import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { boundValue } from '../../parts/bound-value.ts';
import { Card } from '../../parts/card.tsx';
import { DecimalField, Select } from '../../parts/field.tsx';
import { useLoad } from '../../parts/load.tsx';
import { Failed } from '../../parts/notice.tsx';
import { setQuery } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { areaChoices, listAreas } from '../market/grid-operators.ts';
import type { LookedAt } from './looked-at.ts';

type TermFieldProps = {
  /** in the address of the page */
  name: 'markup' | 'vat';
  label: string;
  says: string;
  value: number | undefined;
  min: number;
  max: number;
};

const pauseMs = 500; // prices are not asked for after every key

/** A number that is written into the address of the page when the person pauses. */
function TermField({ name, value, ...rest }: TermFieldProps) {
  const text = useSignal(value === undefined ? '' : String(value));
  useEffect(() => {
    const timer = setTimeout(() => setQuery({ [name]: text.value || undefined }), pauseMs);
    return () => clearTimeout(timer);
  }, [text.value]);
  return <DecimalField value={text} {...rest} />;
}

const t = texts({
  en: {
    title: 'Whose prices',
    area: 'Price area',
    choose: 'Choose an area',
    added: 'Supplier’s markup and VAT',
    markup: 'Supplier’s markup',
    markupSays:
      'What your supplier adds for a kWh, before VAT, in the currency of the prices. 0.05 is five öre or cents.',
    vat: 'VAT, percent',
    vatSays: '25 in Sweden when left out; elsewhere it is not known and left out.',
  },
  sv: {
    title: 'Vilkas priser',
    area: 'Elområde',
    choose: 'Välj ett elområde',
    added: 'Elhandlarens påslag och moms',
    markup: 'Elhandlarens påslag',
    markupSays: 'Det elhandlaren lägger på för en kWh, före moms, i prisernas valuta. 0,05 är fem öre eller cent.',
    vat: 'Moms, procent',
    vatSays: '25 i Sverige om det utelämnas; på andra håll är den inte känd och räknas inte med.',
  },
});

/** Where prices are looked at, and what is added to them. All of it stands in the address of the page. */
export function PlaceCard({ looked: { area, markup, vat } }: { looked: LookedAt }) {
  const areas = useLoad(listAreas, []);
  const isOpen = useMemo(() => markup !== undefined || vat !== undefined, []); // it stays so while somebody types
  return (
    <Card title={t('title')}>
      {areas.problem !== undefined && <Failed problem={areas.problem} again={areas.again} />}
      <Select
        label={t('area')}
        value={boundValue(
          () => area ?? '',
          (chosen) => setQuery({ area: chosen }),
        )}
        choices={[
          ...(area === undefined ? [{ value: '', label: t('choose') }] : []),
          ...areaChoices(areas.value ?? [], area),
        ]}
      />
      <details open={isOpen}>
        <summary>{t('added')}</summary>
        <div class="price-fields">
          <TermField name="markup" label={t('markup')} says={t('markupSays')} value={markup} min={-100} max={100} />
          <TermField name="vat" label={t('vat')} says={t('vatSays')} value={vat} min={0} max={100} />
        </div>
      </details>
    </Card>
  );
}
