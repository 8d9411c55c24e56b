const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of up to `width` characters for a part of a whole. */
export function bar(fraction: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, fraction)) * width * 8);
  return '█'.repeat(Math.floor(filled / 8)) + eighths[filled % 8]!;
}
