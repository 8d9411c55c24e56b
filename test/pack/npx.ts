import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { until } from '../until.ts';
import type { InstalledPackage } from './installed-package.ts';

export type NpxRun = {
  /** its output so far */
  said(): string;
  /** Waits until this is printed. */
  says(words: RegExp): Promise<RegExpExecArray>;
  /** Like Ctrl-C in a terminal: signals every process that npx has started. */
  pressCtrlC(): void;
  ended: Promise<{ code: number | null; out: string; err: string }>;
};

const patienceMs = 30_000;

/** `npx ohmstead …` in the folder of a person who installed it, until the test ends. */
export function npx(t: TestContext, { folder, env }: InstalledPackage, args: string[], settings = {}): NpxRun {
  const child = spawn('npx', ['--no-install', 'ohmstead', ...args], {
    cwd: folder,
    env: { ...env, ...settings },
    detached: true, // a process group of its own, as a shell makes one
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  let isOver = false;
  const ended = once(child, 'close').then(([code]) => {
    isOver = true;
    return { code: code as number | null, ...said };
  });
  t.after(() => isOver || process.kill(-child.pid!, 'SIGKILL'));
  return {
    said: () => said.out,
    async says(words) {
      const look = () => words.exec(said.out);
      return (await until(
        look,
        (found) => {
          if (!found && isOver) throw new Error(`It ended without ${words}: ${said.out}${said.err}`);
          return found !== null;
        },
        patienceMs,
      ))!;
    },
    pressCtrlC: () => void process.kill(-child.pid!, 'SIGINT'),
    ended,
  };
}
