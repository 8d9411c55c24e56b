import type { Shell } from '../line/command.ts';
import { clip } from './output.ts';

const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
const clearToLineEnd = '\x1b[K';
const clearBelow = '\x1b[J';

/** Opens a block of lines that are redrawn in place. */
export function openScreen(stdout: Pick<Shell['stdout'], 'write' | 'columns' | 'rows'>) {
  let drawn = 0;
  let last = '';
  stdout.write(hideCursor);
  return {
    draw(lines: readonly string[]): void {
      const [columns, rows] = [stdout.columns || 80, stdout.rows || 24]; // some terminals report no size
      const fitting = lines.slice(0, rows - 1).map((line) => clip(line, columns - 1) + clearToLineEnd);
      const text = `${fitting.join('\n')}\n`;
      if (text === last) return;
      const back = drawn > 0 ? `\x1b[${drawn}A\r` : '';
      stdout.write(`${back}${text}${clearBelow}`);
      drawn = fitting.length;
      last = text;
    },
    close: () => void stdout.write(showCursor), // the last lines stay
  };
}

const progressWidth = 30;

type Progress = Disposable & { show(done: number): void };

/** Creates a progress bar. It draws nothing when standard error is not a terminal. */
export function createProgress({ stderr }: Pick<Shell, 'stderr'>, what: string): Progress {
  if (!stderr.isTTY) return { show: () => {}, [Symbol.dispose]: () => {} };
  let last = '';
  return {
    show(done) {
      const full = Math.round(done * progressWidth);
      const line = `${what} [${'#'.repeat(full)}${'.'.repeat(progressWidth - full)}] ${Math.floor(done * 100)} %`;
      if (line !== last) stderr.write(`\r${line}`);
      last = line;
    },
    [Symbol.dispose]() {
      if (last) stderr.write('\n');
    },
  };
}
