type Cell = string | number | null | undefined;

/** Formats rows as CSV (RFC 4180) with these columns; absent values are empty. */
export function csvText<Column extends string>(
  columns: readonly Column[],
  rows: readonly { readonly [Name in Column]?: Cell }[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => csvCell(row[column])))];
  return lines.map((line) => `${line.join(',')}\n`).join('');
}

/** Quotes a cell, so that no spreadsheet takes a text for a formula. */
export function csvCell(value: Cell): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+@\t\r-]/.test(value) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
