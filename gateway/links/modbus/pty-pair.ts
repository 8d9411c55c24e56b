import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Two serial ports joined by a cable, made by socat. `unplug` takes them away. */
export async function openPtyPair() {
  const folder = mkdtempSync(join(tmpdir(), 'pty-'));
  const [near, far] = [join(folder, 'near'), join(folder, 'far')];
  const cable = spawn('socat', [`pty,raw,echo=0,link=${near}`, `pty,raw,echo=0,link=${far}`], { stdio: 'ignore' });
  await once(cable, 'spawn');
  for (let waits = 0; !(existsSync(near) && existsSync(far)); waits++) {
    if (waits > 200) throw new Error('socat made no pseudo terminals');
    await sleep(10);
  }
  return {
    near,
    far,
    async unplug() {
      if (cable.exitCode === null && cable.signalCode === null) {
        cable.kill();
        await once(cable, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
