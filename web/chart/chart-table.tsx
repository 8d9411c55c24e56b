import { useSignal } from '@preact/signals';
import { download } from '../parts/download.ts';
import { dateAndTime, number } from '../parts/format.ts';
import { Table } from '../parts/table.tsx';
import { rowAt } from './rows.ts';
import { type ChartData, type ChartProps, csvOf, textOf } from './series.ts';
import type { Viewport } from './viewport.ts';
import { chartWords as t } from './words.ts';

const maxRows = 300; // more than anyone reads, and still fast to show

type TableRow = { at: number; row: number };
type TableProps = ChartData & Pick<ChartProps, 'sides'> & { seen?: Viewport };

/** Shows the visible values as a table, and saves them as a CSV file. */
export function ChartTable({ label, x, series, format, formatX, timeZone, sides, seen }: TableProps) {
  const isOpen = useSignal(false);
  const first = seen ? firstAt(x, seen.from) : 0;
  const end = seen ? firstAt(x, seen.to) : x.length;
  const save = (): void => {
    const part = series.map((each) => ({ ...each, values: each.values.slice(first, end) }));
    download(`${fileName(label)}.csv`, csvOf(x.slice(first, end), part, sides), 'text/csv');
  };
  const shown = Math.min(end - first, maxRows);
  return (
    <details
      class="chart-table"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>{t('asTable')}</summary>
      {isOpen.value && (
        <>
          <div class="actions">
            <button type="button" onClick={save}>
              {t('csv')}
            </button>
          </div>
          {shown < end - first && <p class="says">{t('first', { shown: number(shown), all: number(end - first) })}</p>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it */}
          <section class="chart-rows" aria-label={t('tableOf', { label })} tabIndex={0}>
            <Table
              caption={label}
              rows={x.slice(first, first + shown).map((at, i) => ({ at, row: first + i }))}
              keyOf={({ row }) => row}
              columns={[
                { title: t('time'), show: ({ at }) => (formatX ?? dateAndTime)(at, timeZone) },
                ...series.map((each) => ({
                  title: each.name,
                  isNumber: true,
                  show: ({ row }: TableRow) => textOf(each, row, format) ?? t('none'),
                })),
              ]}
            />
          </section>
        </>
      )}
    </details>
  );
}

/** Returns the index of the first x at or after a time. */
function firstAt(x: readonly number[], ms: number): number {
  const last = rowAt(x, ms, true);
  if (last === undefined) return 0;
  return x[last] === ms ? last : last + 1;
}

const fileName = (label: string): string => label.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase();
