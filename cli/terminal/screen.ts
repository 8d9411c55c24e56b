import type { Shell } from '../line/command.ts';
import { clip } from './printable.ts';

export type Screen = {
  /** Draws over what was drawn before. */
  draw(lines: readonly string[]): void;
  /** Leaves the last lines where they are, and the cursor below them. */
  close(): void;
};

const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
const clearToLineEnd = '\x1b[K';
const clearBelow = '\x1b[J';

/** Lines in place on a terminal. */
export function openScreen(stdout: Pick<Shell['stdout'], 'write' | 'columns' | 'rows'>): Screen {
  let drawn = 0;
  let last = '';
  stdout.write(hideCursor);
  return {
    draw(lines) {
      const [columns, rows] = [stdout.columns || 80, stdout.rows || 24]; // some terminals do not know how large they are
      const fitting = lines.slice(0, rows - 1).map((line) => clip(line, columns - 1) + clearToLineEnd);
      const text = `${fitting.join('\n')}\n`;
      if (text === last) return;
      const back = drawn > 0 ? `\x1b[${drawn}A\r` : '';
      stdout.write(`${back}${text}${clearBelow}`);
      drawn = fitting.length;
      last = text;
    },
    close() {
      stdout.write(showCursor);
    },
  };
}
