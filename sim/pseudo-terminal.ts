import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Two ends of a serial line that is only software. */
export type PseudoTerminal = { device: string; gateway: string; close(): Promise<void> };

/** Makes a pair of pseudo terminals; `socat` must be installed. */
export async function openPseudoTerminal(): Promise<PseudoTerminal> {
  const socat = spawn('socat', ['-d', '-d', 'pty,rawer', 'pty,rawer'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(socat, 'close');
  try {
    const [device, gateway] = await Promise.race([pathsOf(socat), ended.then(() => [])]);
    if (!device || !gateway) throw new Error('socat made no pseudo terminals.');
    return {
      device,
      gateway,
      async close() {
        socat.kill();
        await ended;
      },
    };
  } catch (error) {
    socat.kill();
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error('A pseudo terminal needs socat, which is not installed (Debian: apt install socat).', {
      cause: error,
    });
  }
}

/** socat says "PTY is /dev/pts/4" for either end. */
async function pathsOf(socat: ChildProcess): Promise<string[]> {
  const paths: string[] = [];
  const lines = createInterface(socat.stderr!);
  for await (const line of lines) {
    const path = /PTY is (\S+)/.exec(line)?.[1];
    if (path) paths.push(path);
    if (paths.length === 2) break;
  }
  socat.stderr!.resume();
  return paths;
}
