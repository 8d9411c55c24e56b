import type { ComponentChildren } from 'preact';
import { Card } from './card.tsx';
import { type Load, Loaded } from './load.tsx';

export type Column<Row> = { title: string; show(row: Row): ComponentChildren; isNumber?: boolean };

export type TableProps<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string | number;
};

/** A table for screen readers; on a small screen each row becomes a card. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div class="table">
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={isNumber ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, show, isNumber }) => (
                <td key={title} data-title={title} class={isNumber ? 'number' : undefined}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export const TableCard = <Row,>({ title, ...table }: { title: string } & Omit<TableProps<Row>, 'caption'>) => (
  <Card title={title}>
    <Table caption={title} {...table} />
  </Card>
);

type LoadedTableProps<Row> = Omit<TableProps<Row>, 'rows'> & {
  from: Load<readonly Row[]>;
  /** shown instead of a table without rows */
  empty?: ComponentChildren;
};

/** A table of rows that are loaded. */
export const LoadedTable = <Row,>({ from, empty, ...table }: LoadedTableProps<Row>) => (
  <Loaded from={from}>{(rows) => (rows.length === 0 ? empty : <Table rows={rows} {...table} />)}</Loaded>
);
