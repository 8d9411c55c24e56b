import type { TotalInterval } from '#contract/price/total.ts';
import { day, money } from '../../parts/format.ts';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { partName, timeSpan } from './price-words.ts';
import { kindsIn, sums } from './slots.ts';

const t = texts({
  en: { open: 'The same as a table', caption: 'Prices for a kWh, {currency}', time: 'Time', total: 'Total' },
  sv: { open: 'Samma sak som tabell', caption: 'Priser för en kWh, {currency}', time: 'Tid', total: 'Totalt' },
});

type PriceTableProps = { intervals: readonly TotalInterval[]; currency: string; timeZone: string | undefined };

/** What the bars show, to be read. */
export function PriceTable({ intervals, currency, timeZone }: PriceTableProps) {
  const time = ({ start, end }: TotalInterval): string =>
    `${day(Date.parse(start), timeZone)}, ${timeSpan(Date.parse(start), Date.parse(end), timeZone)}`;
  return (
    <details>
      <summary>{t('open')}</summary>
      <Table
        caption={t('caption', { currency })}
        rows={intervals}
        keyOf={({ start }) => start}
        columns={[
          { title: t('time'), show: time },
          ...kindsIn(intervals, 'total').map((kind) => ({
            title: partName(kind),
            isNumber: true,
            show: (interval: TotalInterval) => money(sums(interval).get(kind) ?? 0, currency, 3),
          })),
          { title: t('total'), isNumber: true, show: ({ total }) => money(total, currency, 3) },
        ]}
      />
    </details>
  );
}
