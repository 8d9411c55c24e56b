import { Problem } from '#contract/problem.ts';
import { CommandFailed, type Run } from './run-command.ts';

const none = /no default controller|waiting to connect/i;

const absent = (cause?: unknown): Problem =>
  new Problem('unavailable', 'This gateway has no Bluetooth that it can use.', {}, { cause });

/** Switches the Bluetooth controller off, through BlueZ. */
export async function stopBluetooth(run: Run): Promise<void> {
  try {
    const output = await run('bluetoothctl', ['power', 'off']);
    if (none.test(output)) throw absent(); // older versions exit with 0
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    if (error.reason !== 'failed' || none.test(error.output)) throw absent(error);
    throw new Problem('device_failed', 'Bluetooth could not be stopped.', {}, { cause: error });
  }
}
