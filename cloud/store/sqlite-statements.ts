import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

type Values = SQLInputValue[] | [Record<string, SQLInputValue>];

/** A statement with the type of its rows, which Node's types do not have. */
export type Statement<Row> = Pick<StatementSync, 'columns' | 'run'> & {
  all(...values: Values): Row[];
  get(...values: Values): Row | undefined;
  iterate(...values: Values): Iterable<Row>;
};

/** Prepares a statement; `Row` is what its SQL selects. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export const prepare = <Row = never>(database: DatabaseSync, sql: string): Statement<Row> =>
  database.prepare(sql) as Statement<unknown> as Statement<Row>;

/** Prepares a statement whose rows are arrays, which are faster to make than objects. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function prepareArrays<Row extends unknown[]>(database: DatabaseSync, sql: string): Statement<Row> {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement as Statement<unknown> as Statement<Row>;
}

/** Returns the row of a statement that always has one, such as an aggregate or a pragma. */
export function onlyRow<Row>(statement: Statement<Row>, ...values: Values): Row {
  const row = statement.get(...values);
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}
