import type { RawBuilder } from 'kysely';
import { RecentMap } from '#lib/recent-map.ts';
import type { Db, PageRange } from './engine.ts';
import { sql } from './kysely.ts';
import { existing, first, limitArgument, prepared } from './prepared.ts';
import type { Schema } from './schema.ts';

/** The types of some columns, in the order of their names. */
type Values<Row, Columns extends readonly (keyof Row)[]> = { [I in keyof Columns]: Row[Columns[I]] };

const refs = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

const assign = (columns: readonly string[], values: readonly unknown[]) =>
  columns.map((column, i) => sql`${sql.ref(column)} = ${values[i]}`);

const where = (columns: readonly string[], values: readonly unknown[]) =>
  sql`where ${sql.join(assign(columns, values), sql` and `)}`;

/** Makes the usual queries of a table: each takes the database and then a value for each column that is named here. */
export function table<T extends keyof Schema>(name: T) {
  type Row = Schema[T];
  type Column = keyof Row & string;
  const named = sql.table(name);

  const select = <const Columns extends readonly Column[]>(columns: Columns, order = sql``) =>
    prepared<Values<Row, Columns>, Row>(
      (_, ...values) => sql<Row>`select * from ${named} ${where(columns, values)} ${order}`,
      columns.length,
    );

  function inserting(onConflict: RawBuilder<unknown>) {
    const statements = new RecentMap<(db: Db, ...values: unknown[]) => Promise<unknown[]>>(10); // by columns
    return async (db: Db, row: Row): Promise<void> => {
      const columns = Object.keys(row);
      const statement = statements.getOrCreate(columns.join(), () =>
        prepared(
          (_, ...values: unknown[]) =>
            sql`insert into ${named} (${refs(columns)}) values (${sql.join(values)}) ${onConflict}`,
          columns.length,
        ),
      );
      await statement(db, ...Object.values(row));
    };
  }

  return {
    find: <const Columns extends readonly Column[]>(...columns: Columns) => first(select(columns)),

    /** Finds a row that must exist. */
    get: <const Columns extends readonly Column[]>(...columns: Columns) => existing(select(columns)),

    list: <const Columns extends readonly Column[]>(columns: Columns, order: Column) =>
      select(columns, sql`order by ${sql.ref(order)}`),

    /** Lists the rows of an owner in pages by `key`. */
    pagesOf(owner: Column, key: Column, order: 'asc' | 'desc' = 'asc') {
      const comesAfter = order === 'asc' ? sql`>` : sql`<`;
      const page = (hasBefore: boolean) =>
        prepared((_, ownedBy: string, after: string | undefined, limit: number) => {
          const rest = hasBefore ? sql`and ${sql.ref(key)} ${comesAfter} ${after}` : sql``;
          return sql<Row>`select * from ${named} ${where([owner], [ownedBy])} ${rest}
            order by ${sql.ref(key)} ${sql.raw(order)} limit ${limitArgument(limit)}`;
        });
      const [firstPage, nextPage] = [page(false), page(true)];
      return (db: Db, ownedBy: string, { after, limit }: PageRange): Promise<Row[]> =>
        (after === undefined ? firstPage : nextPage)(db, ownedBy, after, limit);
    },

    insert: () => inserting(sql``),

    /** Inserts a row, or sets these columns of the one that has the same keys. */
    save(keys: Column[], ...columns: Column[]) {
      const changes = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
      return inserting(sql`on conflict (${refs(keys)}) do update set ${sql.join(changes)}`);
    },

    /** Sets columns of the row with these keys. */
    update<const Keys extends readonly Column[], const Columns extends readonly Column[]>(
      keys: Keys,
      ...columns: Columns
    ) {
      const statement = prepared<[...Values<Row, Keys>, ...Values<Row, Columns>], unknown>((_, ...values) => {
        const changes = sql.join(assign(columns, values.slice(keys.length)));
        return sql`update ${named} set ${changes} ${where(keys, values)}`;
      }, keys.length + columns.length);
      return async (db: Db, ...values: [...Values<Row, Keys>, ...Values<Row, Columns>]): Promise<void> => {
        await statement(db, ...values);
      };
    },

    delete<const Columns extends readonly Column[]>(...columns: Columns) {
      const statement = prepared<Values<Row, Columns>, unknown>(
        (_, ...values) => sql`delete from ${named} ${where(columns, values)}`,
        columns.length,
      );
      return async (db: Db, ...values: Values<Row, Columns>): Promise<void> => {
        await statement(db, ...values);
      };
    },

    /** Deletes and returns a row. */
    take: <const Columns extends readonly Column[]>(...columns: Columns) =>
      first(
        prepared<Values<Row, Columns>, Row>(
          (_, ...values) => sql<Row>`delete from ${named} ${where(columns, values)} returning *`,
          columns.length,
        ),
      ),

    /** Deletes the rows with a lower value. */
    deleteBelow(column: Column) {
      const statement = prepared((_, limit: number) => sql`delete from ${named} where ${sql.ref(column)} < ${limit}`);
      return async (db: Db, limit: number): Promise<void> => {
        await statement(db, limit);
      };
    },
  };
}
