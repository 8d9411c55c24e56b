/** A small mistake that somebody could make in the product, and the test file that has to notice it. */
export type Bug = {
  id: string;
  /** The attacks, faults and figures of docs/guarantees.md that would hold by luck if nobody noticed. */
  proves: readonly string[];
  file: string;
  from: string;
  to: string;
  noticedBy: string;
};

/** The text of its file with the bug in it; undefined when what it changes does not stand there exactly once. */
export function withBug(text: string, { from, to }: Pick<Bug, 'from' | 'to'>): string | undefined {
  const parts = text.split(from);
  if (parts.length === 2) return parts.join(to);
  const broken = parts.length === 1 ? text.split(inOtherLines(from)) : [];
  return broken.length === 2 ? broken.join(to.trim()) : undefined;
}

/** The same code as a formatter may have broken it: with other white space, and a comma behind the last of a list. */
function inOtherLines(code: string): RegExp {
  const tokens = code.match(/\w+|[^\w\s]/g) ?? [];
  const pattern = tokens.map((token, n) => {
    const isWord = /^\w/.test(token);
    const escaped = isWord ? token : `\\${token}`;
    if (n === 0) return escaped;
    if (isWord && /^\w/.test(tokens[n - 1]!)) return `\\s+${escaped}`;
    return /[)\]}]/.test(token) ? `\\s*,?\\s*${escaped}` : `\\s*${escaped}`;
  });
  return new RegExp(pattern.join(''));
}
