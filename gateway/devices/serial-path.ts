import { realpath } from 'node:fs/promises';
import { fieldProblem } from '#contract/problem.ts';

const devices = '/dev/';

/** Refuses a path that does not lead to a device: through this door no other file is opened. Links are followed. */
export async function checkSerialPath(path: string): Promise<void> {
  try {
    if ((await realpath(path)).startsWith(devices)) return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && path.startsWith(devices)) return; // one that is not plugged in
  }
  throw fieldProblem('invalid_request', 'body.serial_port', `${path} is no serial line; they are below /dev`);
}
