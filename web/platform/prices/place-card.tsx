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
import type { PriceSelection } from './selection.ts';

const t = texts({
  title: ['Price settings', 'Prisinställningar'],
  area: ['Price area', 'Elområde'],
  choose: ['Choose a price area', 'Välj elområde'],
  added: ['Markup and VAT', 'Påslag och moms'],
  markup: ['Supplier’s markup', 'Elhandlarens påslag'],
  markupSays: [
    'Added per kWh by your electricity supplier, excluding VAT, in the currency of the prices. 0.05 means five öre or cents.',
    'Det som elhandlaren lägger på per kWh, exklusive moms, i prisernas valuta. 0,05 är fem öre eller cent.',
  ],
  vat: ['VAT (%)', 'Moms (%)'],
  vatSays: ['Default: 25 in Sweden, no VAT elsewhere.', 'Standard: 25 i Sverige, ingen moms i andra länder.'],
});

type TermFieldProps = {
  /** query parameter */
  name: 'markup' | 'vat';
  label: string;
  says: string;
  value: number | undefined;
  min: number;
  max: number;
};

const pauseMs = 500; // do not request prices after every key

/** A number field that updates the query after a pause in typing. */
function TermField({ name, value, ...rest }: TermFieldProps) {
  const text = useSignal(value === undefined ? '' : String(value));
  useEffect(() => {
    const timer = setTimeout(() => setQuery({ [name]: text.value || undefined }), pauseMs);
    return () => clearTimeout(timer);
  }, [text.value]);
  return <DecimalField value={text} {...rest} />;
}

/** Chooses the price area, markup and VAT; all are kept in the address. */
export function PlaceCard({ selection: { area, markup, vat } }: { selection: PriceSelection }) {
  const areas = useLoad(listAreas, []);
  const isOpen = useMemo(() => markup !== undefined || vat !== undefined, []); // do not close it while the person types
  return (
    <Card title={t('title')}>
      <Failed problem={areas.problem} again={areas.again} />
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
