import type { Shell } from '../line/command.ts';

const width = 30;

/** A bar that is drawn over itself, on a terminal only. */
export function createProgress(
  { stderr }: Pick<Shell, 'stderr'>,
  what: string,
): { show(done: number): void; end(): void } {
  if (!stderr.isTTY) return { show: () => {}, end: () => {} };
  let last = '';
  return {
    show(done) {
      const full = Math.round(done * width);
      const line = `${what} [${'#'.repeat(full)}${'.'.repeat(width - full)}] ${Math.floor(done * 100)} %`;
      if (line !== last) stderr.write(`\r${line}`);
      last = line;
    },
    end() {
      if (last) stderr.write('\n');
    },
  };
}
