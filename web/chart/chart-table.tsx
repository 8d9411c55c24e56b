import { useSignal } from '@preact/signals';
import { download } from '../parts/download.ts';
import { dateAndTime, number } from '../parts/format.ts';
import { Table } from '../parts/table.tsx';
import { csvOf } from './csv.ts';
import { rowAt } from './rows.ts';
import { type ChartData, type ChartProps, textOf } from './series.ts';
import type { Window } from './window.ts';
import { chartWords as t } from './words.ts';

const mostRows = 300; // more than anybody reads, and shown at once

type TableProps = ChartData & Pick<ChartProps, 'sides'> & { seen?: Window };

/** The same numbers as the chart, for those who would rather read, and as a file. */
export function ChartTable({ label, x, series, format, formatX, timeZone, sides, seen }: TableProps) {
  const isOpen = useSignal(false);
  const first = seen ? firstAt(x, seen.from) : 0;
  const end = seen ? firstAt(x, seen.to) : x.length;
  const save = (): void => {
    const part = series.map((each) => ({ ...each, values: each.values.slice(first, end) }));
    download(`${fileName(label)}.csv`, csvOf(x.slice(first, end), part, sides), 'text/csv');
  };
  const shown = Math.min(end - first, mostRows);
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
              rows={Array.from({ length: shown }, (_, i) => first + i)}
              keyOf={(row) => row}
              columns={[
                { title: t('time'), show: (row) => (formatX ?? dateAndTime)(x[row]!, timeZone) },
                ...series.map((each) => ({
                  title: each.name,
                  isNumber: true,
                  show: (row: number) => textOf(each, row, format) ?? t('none'),
                })),
              ]}
            />
          </section>
        </>
      )}
    </details>
  );
}

/** The first x at or after a moment. */
function firstAt(x: readonly number[], ms: number): number {
  const before = rowAt(x, ms, true);
  if (before === undefined) return 0;
  return x[before]! < ms ? before + 1 : before;
}

const fileName = (label: string): string => label.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase();
