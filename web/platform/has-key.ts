/** Whether a table has this key, such as a text for a code that the server may have added since. */
export const hasKey = <Table extends object>(table: Table, key: PropertyKey): key is keyof Table =>
  Object.hasOwn(table, key);
