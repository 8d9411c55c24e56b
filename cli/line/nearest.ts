/** Returns the candidate with the fewest typing mistakes, if it has at most `maxEdits`. */
export function findNearest(
  text: string,
  candidates: readonly string[],
  maxEdits = Math.max(1, Math.floor(text.length / 3)),
): string | undefined {
  return candidates
    .filter(({ length }) => Math.abs(length - text.length) <= maxEdits)
    .map((candidate) => ({ candidate, edits: editsBetween(text, candidate) }))
    .sort((a, b) => a.edits - b.edits)
    .find(({ edits }) => edits <= maxEdits)?.candidate;
}

export const suggest = (suggestion: string | undefined): string =>
  suggestion === undefined ? '.' : `; did you mean ${suggestion}?`;

/** Ends a sentence with the nearest of these candidates, if one is near. */
export function didYouMean(text: string, candidates: readonly string[], quote = ''): string {
  const near = findNearest(text, candidates);
  return suggest(near && `${quote}${near}${quote}`);
}

/** Counts insertions, deletions, replacements and swaps of neighbouring letters (Damerau-Levenshtein distance). */
function editsBetween(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const edits = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= to.length; j++) {
      const replaced = edits(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? edits(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(edits(i - 1, j) + 1, edits(i, j - 1) + 1, replaced, swapped));
    }
  }
  return edits(from.length, to.length);
}
