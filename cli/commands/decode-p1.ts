import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { P1Format, P1Frame, P1Keys } from '#gateway/p1/frame.ts';
import { command } from '../line/command.ts';
import { UsageError } from '../line/usage-error.ts';

const name = 'decode p1';
const keyOption = { value: 'HEX', says: 'key of an encrypted meter, from the grid company' };
const authKeyOption = { value: 'HEX', says: 'authentication key of a meter that has its own' };

type Line = { format?: P1Format; ok: boolean; reason?: string };

const shown = ({ format, device_id, equipment_id, meter_time, isUnverified, obis, meter }: P1Frame) => ({
  format,
  ok: true,
  device_id,
  equipment_id,
  meter_time,
  unverified: isUnverified,
  obis,
  meter,
});

const decodeP1 = command({
  name,
  summary: 'Tell what a smart meter said: telegrams, HDLC or M-Bus, as a JSON line for each frame',
  arguments: [{ name: 'file', says: 'what came from its port, as it is or in hex; - for standard input' }],
  options: { key: keyOption, 'auth-key': authKeyOption },
  examples: ['decode p1 telegram.txt', 'decode p1 - --key 0123456789ABCDEF0123456789ABCDEF'],
  async run({ arguments: { file }, options }, shell) {
    // Only this command needs the decoder.
    const { createP1Decoder } = await import('#gateway/p1/decoder.ts');
    const { readInput } = await import('#gateway/p1/read-input.ts');
    const lines: Line[] = [];
    const decoder = createP1Decoder(keysOf(options.key, options['auth-key']), {
      onFrame: (frame) => lines.push(shown(frame)),
      onFailed: ({ format, reason }) => lines.push({ format, ok: false, reason }),
    });
    decoder.push(readInput(file === '-' ? await buffer(shell.stdin) : await readFile(file)));
    decoder.idle();
    const told = lines.length > 0 ? lines : [{ ok: false, reason: 'no frame found' }];
    shell.stdout.write(told.map((line) => `${JSON.stringify(line)}\n`).join(''));
    if (!lines.some(({ ok }) => ok)) shell.exitCode = 1;
  },
});

function keysOf(key: string | undefined, authKey: string | undefined): P1Keys {
  return {
    ...(key && { decryptionKey: keyOf('--key', key) }),
    ...(authKey && { authenticationKey: keyOf('--auth-key', authKey) }),
  };
}

function keyOf(option: string, text: string): Buffer {
  if (!/^[0-9A-Fa-f]{32}$/.test(text)) throw new UsageError(`${option} is 32 hex digits.`, name);
  return Buffer.from(text, 'hex');
}

export const decodeP1Commands = [decodeP1];
