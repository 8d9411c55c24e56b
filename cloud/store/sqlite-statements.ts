import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

type Parameters = SQLInputValue[] | [Record<string, SQLInputValue>];

const unnamed = (parameters: Parameters): SQLInputValue[] => parameters as SQLInputValue[];

// The caller names the type of a row as its statement selects it; Node's types know only that it has columns.

export const allRows = <Row>(statement: StatementSync, ...parameters: Parameters): Row[] =>
  statement.all(...unnamed(parameters)) as Row[];

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export const firstRow = <Row>(statement: StatementSync, ...parameters: Parameters): Row | undefined =>
  statement.get(...unnamed(parameters)) as Row | undefined;

/** Returns the row of a statement that always has one, such as an aggregate or a pragma. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function onlyRow<Row>(statement: StatementSync, ...parameters: Parameters): Row {
  const row = firstRow<Row>(statement, ...parameters);
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}

/** Prepares a statement whose rows are arrays, which are faster to make than objects. */
export function prepareArrays<Row>(database: DatabaseSync, sql: string) {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return {
    all: (...parameters: Parameters): Row[] => allRows(statement, ...parameters),
    iterate: (...parameters: Parameters): Iterable<Row> => statement.iterate(...unnamed(parameters)) as Iterable<Row>,
  };
}
