import { readFile } from 'node:fs/promises';
import { buffer, text } from 'node:stream/consumers';
import type { P1Format, P1Frame } from '#gateway/p1/frame.ts';
import { command, UsageError } from '../line/command.ts';
import { didYouMean } from '../line/nearest.ts';

const keyOption = (help: string) => ({ value: 'HEX', help, read: readKey });

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

const p1Command = command('decode p1', {
  summary: 'Decode data of a smart meter (telegrams, HDLC or M-Bus) to one line of JSON for each frame',
  arguments: [{ name: 'file', help: 'data from its port, binary or hex; - for standard input' }],
  options: {
    key: keyOption('decryption key, from the grid company'),
    'auth-key': keyOption('authentication key, if the meter has a separate one'),
  },
  examples: ['decode p1 telegram.txt', 'decode p1 - --key 0123456789ABCDEF0123456789ABCDEF'],
  async run({ arguments: { file }, options: { key, 'auth-key': authKey } }, shell) {
    // loaded only by this command
    const { createP1Decoder } = await import('#gateway/p1/decoder.ts');
    const { readInput } = await import('#gateway/p1/read-input.ts');
    const lines: Line[] = [];
    const keys = { ...(key && { decryptionKey: key }), ...(authKey && { authenticationKey: authKey }) };
    const decoder = createP1Decoder(keys, {
      onFrame: (frame) => lines.push(shown(frame)),
      onFailed: ({ format, reason }) => lines.push({ format, ok: false, reason }),
    });
    decoder.push(readInput(file === '-' ? await buffer(shell.stdin) : await readFile(file)));
    decoder.idle();
    const reported = lines.length > 0 ? lines : [{ ok: false, reason: 'no frame found' }];
    shell.stdout.write(reported.map((line) => `${JSON.stringify(line)}\n`).join(''));
    if (!lines.some(({ ok }) => ok)) shell.exitCode = 1;
  },
});

function readKey(text: string, name: string): Buffer {
  if (!/^[0-9A-Fa-f]{32}$/.test(text)) throw new UsageError(`${name} must be 32 hex digits.`);
  return Buffer.from(text, 'hex');
}

const modbusCommand = command('decode modbus', {
  summary: 'Decode the registers of a device with a profile',
  arguments: [{ name: 'registers.json', help: 'register image; - for standard input' }],
  options: { profile: { help: 'profile of the device', value: 'ID', required: true } },
  examples: ['decode modbus --profile sungrow registers.json', 'decode modbus --profile sma -'],
  async run({ arguments: { 'registers.json': path }, options }, shell) {
    // loaded only by this command
    const { findModbusProfile, modbusProfiles } = await import('#gateway/profiles/index.ts');
    const { decodeModbus, NoRegisterImage, readRegisterImage } = await import('#gateway/decode-modbus.ts');
    const profile = findModbusProfile(options.profile);
    if (!profile) {
      const ids = modbusProfiles.map((each) => each.profile).sort();
      throw new UsageError(`--profile must be one of ${ids.join(', ')}${didYouMean(options.profile, ids)}`);
    }
    try {
      const json: unknown = JSON.parse(path === '-' ? await text(shell.stdin) : await readFile(path, 'utf8'));
      const decoded = await decodeModbus(profile, readRegisterImage(json, profile.defaults.unit_id));
      shell.stdout.write(`${JSON.stringify(decoded)}\n`);
      if ('ok' in decoded) shell.exitCode = 1;
    } catch (error) {
      if (error instanceof SyntaxError) throw new UsageError(`${path} is not JSON: ${error.message}.`);
      if (error instanceof NoRegisterImage) throw new UsageError(error.message);
      throw error;
    }
  },
});

export const commands = [p1Command, modbusCommand];
