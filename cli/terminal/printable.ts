/** Text from elsewhere, without what would move the cursor or colour the terminal. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ');

/** As much of a line as fits. */
export const clip = (line: string, width: number): string =>
  line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
