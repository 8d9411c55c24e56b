import { Card } from './card.tsx';
import { Table, type TableProps } from './table.tsx';

/** A list that stands in a card of its own, under one name. */
export const TableCard = <Row,>({ title, ...table }: { title: string } & Omit<TableProps<Row>, 'caption'>) => (
  <Card title={title}>
    <Table caption={title} {...table} />
  </Card>
);
