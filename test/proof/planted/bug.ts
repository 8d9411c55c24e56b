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
  return parts.length === 2 ? parts.join(to) : undefined;
}
