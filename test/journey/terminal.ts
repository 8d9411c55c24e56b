import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { root } from '../source-files.ts';
import { programEnvironment } from '../test-environment.ts';

/** Reason why no terminal is available, or false. */
export const noTerminal = spawnSync('socat', ['-V']).error ? 'socat not installed (Debian: apt install socat)' : false;

export type Terminal = {
  /** its whole output; an escape character as <esc> */
  shown(): string;
  press(keys: string): void;
  ended: Promise<number | null>;
};

/** A command on a terminal of its own, until the test ends. */
export function openTerminal(t: TestContext, args: readonly string[], env: Record<string, string>): Terminal {
  const command = [process.execPath, join(root, 'cli/main.js'), ...args].join(' ');
  const socat = spawn('socat', ['-', `EXEC:"${command}",pty,setsid,ctty,echo=0`], {
    env: { ...process.env, ...programEnvironment, ...env },
  });
  t.after(() => socat.kill('SIGKILL'));
  let text = '';
  for (const stream of [socat.stdout, socat.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
  }
  return {
    shown: () => text.replaceAll('\x1b', '<esc>'),
    press: (keys) => socat.stdin.write(keys),
    ended: once(socat, 'close').then(([code]) => code as number | null),
  };
}
