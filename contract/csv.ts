type Cell = string | number | null | undefined;

/** Formats rows as CSV (RFC 4180) with these columns; absent values are empty. */
export function csvText<Column extends string>(
  columns: readonly Column[],
  rows: readonly { readonly [Name in Column]?: Cell }[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => cellOf(row[column])))];
  return lines.map((line) => `${line.join(',')}\n`).join('');
}

const cellOf = (value: Cell): string => {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
