import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { end } from '../end-process.ts';

/** Reason why no serial cable is available, or false. */
export const noCable = spawnSync('socat', ['-V']).error ? 'socat not installed (Debian: apt install socat)' : false;

/** A serial line in software. Its ends are links, so that it can be unplugged and plugged in. */
export type Cable = {
  device: string;
  gateway: string;
  pullOut(): Promise<void>;
  plugIn(): Promise<void>;
  close(): Promise<void>;
};

export async function openCable(): Promise<Cable> {
  const { path: folder, remove } = await mkdtempDisposable(join(tmpdir(), 'ohmstead-cable-'));
  const [device, gateway] = [join(folder, 'device'), join(folder, 'gateway')];
  let socat: ChildProcess;

  async function plugIn(): Promise<void> {
    socat = spawn('socat', [`pty,rawer,link=${device}`, `pty,rawer,link=${gateway}`], { stdio: 'ignore' });
    await once(socat, 'spawn');
    for (let waits = 0; !(existsSync(device) && existsSync(gateway)); waits++) {
      if (waits > 500) throw new Error('socat created no pseudo terminals.');
      await sleep(10);
    }
  }
  const pullOut = (): Promise<void> => end(socat);
  async function close(): Promise<void> {
    await pullOut();
    await remove();
  }

  await plugIn();
  return { device, gateway, pullOut, plugIn, close };
}
