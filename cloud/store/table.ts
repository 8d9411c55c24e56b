import type { RawBuilder } from 'kysely';
import { RecentMap } from '#lib/recent-map.ts';
import type { Db, PageRange } from './engine.ts';
import { sql } from './kysely.ts';
import { existing, first, limitArgument, prepared } from './prepared.ts';
import type { Schema } from './schema.ts';

/** A column that equals its value, or compares to it otherwise. */
type Condition<Column extends string> = Column | `${Column} ${'<' | '<=' | '>' | '>='}`;

/** The types of the values of some conditions or columns, in their order. */
type Values<Row, Conditions extends readonly string[]> = {
  [I in keyof Conditions]: Conditions[I] extends keyof Row
    ? Row[Conditions[I]]
    : Conditions[I] extends `${infer Column extends keyof Row & string} ${string}`
      ? Row[Column]
      : never;
};

const refs = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

const compare = (conditions: readonly string[], values: readonly unknown[]): RawBuilder<unknown>[] =>
  conditions.map((condition, i) => {
    const [column = '', comparison = '='] = condition.split(' ');
    return sql`${sql.ref(column)} ${sql.raw(comparison)} ${values[i]}`;
  });

/**
 * Makes the usual queries of a table: each takes the database and then a value for each condition and column that is named
 * here. `only`, a condition in SQL, limits them to a part of the table.
 */
export function table<T extends keyof Schema>(name: T, only?: `${keyof Schema[T] & string} ${string}`) {
  type Row = Schema[T];
  type Column = keyof Row & string;
  type Conditions = readonly Condition<Column>[];
  const named = sql.table(name);

  function where(conditions: readonly string[], values: readonly unknown[]): RawBuilder<unknown> {
    const all = [...compare(conditions, values), ...(only ? [sql.raw(only)] : [])];
    return all.length > 0 ? sql`where ${sql.join(all, sql` and `)}` : sql``;
  }

  const select = <const C extends Conditions>(conditions: C, order = sql``) =>
    prepared<Values<Row, C>, Row>(
      (_, ...values) => sql<Row>`select * from ${named} ${where(conditions, values)} ${order}`,
      conditions.length,
    );

  const remove = <const C extends Conditions>(conditions: C, ending = sql``) =>
    prepared<Values<Row, C>, Row>(
      (_, ...values) => sql<Row>`delete from ${named} ${where(conditions, values)} ${ending}`,
      conditions.length,
    );

  function inserting(ending: RawBuilder<unknown>) {
    const statements = new RecentMap<(db: Db, ...values: unknown[]) => Promise<unknown[]>>(10); // by columns
    return (db: Db, row: Row): Promise<unknown[]> => {
      const columns = Object.keys(row);
      const statement = statements.getOrCreate(columns.join(), () =>
        prepared(
          (_, ...values: unknown[]) =>
            sql`insert into ${named} (${refs(columns)}) values (${sql.join(values)}) ${ending}`,
          columns.length,
        ),
      );
      return statement(db, ...Object.values(row));
    };
  }

  return {
    find: <const C extends Conditions>(...conditions: C) => first(select(conditions)),

    get: <const C extends Conditions>(...conditions: C) => existing(select(conditions)),

    list: <const C extends Conditions>(conditions: C, ...order: Column[]) =>
      select(conditions, sql`order by ${refs(order)}`),

    /** Lists rows in pages by `key`. */
    pages<const C extends Conditions>(conditions: C, key: Column, order: 'asc' | 'desc' = 'asc') {
      const page = (keys: readonly string[]) =>
        prepared((_, limit: number, ...values: unknown[]) => {
          const rows = sql<Row>`select * from ${named} ${where(keys, values)}`;
          return sql<Row>`${rows} order by ${sql.ref(key)} ${sql.raw(order)} limit ${limitArgument(limit)}`;
        }, keys.length + 1);
      const [firstPage, nextPage] = [page(conditions), page([...conditions, `${key} ${order === 'asc' ? '>' : '<'}`])];
      return (db: Db, { after, limit }: PageRange, ...values: Values<Row, C>): Promise<Row[]> =>
        after === undefined ? firstPage(db, limit, ...values) : nextPage(db, limit, ...values, after);
    },

    /** Counts rows, up to a limit. */
    count<const C extends Condition<Column>>(condition: C) {
      const counted = existing(
        prepared((_, value: Values<Row, [C]>[0], limit: number) => {
          const rows = sql`select 1 from ${named} ${where([condition], [value])} limit ${limitArgument(limit)}`;
          return sql<{ count: number }>`select count(*) as count from (${rows}) as found`;
        }),
      );
      return async (db: Db, value: Values<Row, [C]>[0], limit: number): Promise<number> =>
        (await counted(db, value, limit)).count;
    },

    insert: () => inserting(sql``),

    /** Inserts a row unless there is one with its keys. Returns whether it was inserted. */
    insertNew() {
      const insert = inserting(sql`on conflict do nothing returning 1`);
      return async (db: Db, row: Row): Promise<boolean> => (await insert(db, row)).length > 0;
    },

    /** Inserts a row, or sets these columns of the one that has the same keys. */
    save(keys: Column[], ...columns: Column[]) {
      const changes = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
      return inserting(sql`on conflict (${refs(keys)}) do update set ${sql.join(changes)}`);
    },

    /** Inserts a row, or adds its number to that of the one that has the same keys. */
    add(keys: Column[], column: Column) {
      const sum = sql`${sql.ref(`${name}.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
      return inserting(sql`on conflict (${refs(keys)}) do update set ${sql.ref(column)} = ${sum}`);
    },

    /** Sets columns where the conditions hold. Returns the number of changed rows. */
    update<const C extends Conditions, const Columns extends readonly Column[]>(conditions: C, ...columns: Columns) {
      const statement = prepared<[...Values<Row, C>, ...Values<Row, Columns>], unknown>((_, ...values) => {
        const changes = sql.join(compare(columns, values.slice(conditions.length)));
        return sql`update ${named} set ${changes} ${where(conditions, values)} returning 1`;
      }, conditions.length + columns.length);
      return async (db: Db, ...values: [...Values<Row, C>, ...Values<Row, Columns>]): Promise<number> =>
        (await statement(db, ...values)).length;
    },

    delete: <const C extends Conditions>(...conditions: C) => remove(conditions),

    take: <const C extends Conditions>(...conditions: C) => first(remove(conditions, sql`returning *`)),
  };
}

/** Returns one column of the rows of a query. */
export async function column<Name extends string, Value>(
  name: Name,
  query: { execute(): Promise<readonly Record<Name, Value>[]> },
): Promise<Value[]> {
  return (await query.execute()).map((row) => row[name]);
}
