/** Returns the candidate with the fewest typing mistakes, at most `maxEdits`; undefined if there is none. */
export function findNearest(
  text: string,
  candidates: readonly string[],
  maxEdits = Math.max(1, Math.floor(text.length / 3)),
): string | undefined {
  const ranked = candidates
    .filter(({ length }) => Math.abs(length - text.length) <= maxEdits)
    .map((candidate) => ({ candidate, edits: editsBetween(text, candidate) }))
    .sort((a, b) => a.edits - b.edits);
  return ranked[0] && ranked[0].edits <= maxEdits ? ranked[0].candidate : undefined;
}

export const didYouMean = (suggestion: string | undefined): string =>
  suggestion === undefined ? '.' : `; did you mean ${suggestion}?`;

/** Counts insertions, deletions, replacements and swaps of neighbouring letters (Damerau-Levenshtein distance). */
function editsBetween(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replaced, swapped));
    }
    rows.push(row);
  }
  return rows.at(-1)!.at(-1)!;
}
