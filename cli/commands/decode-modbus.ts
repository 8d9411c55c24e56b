import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { command } from '../line/command.ts';
import { didYouMean, nearest } from '../line/nearest.ts';
import { UsageError } from '../line/usage-error.ts';

const name = 'decode modbus';

const decode = command({
  name,
  summary: 'Tell what a profile makes of the registers of a device',
  arguments: [{ name: 'registers.json', says: 'a register image, - for the standard input' }],
  options: { profile: { says: 'the profile to read them with', value: 'ID', required: true } },
  examples: ['decode modbus --profile sungrow registers.json', 'decode modbus --profile sma -'],
  async run({ arguments: { 'registers.json': path }, options }, shell) {
    // Only this command needs the profiles.
    const { findModbusProfile, modbusProfiles } = await import('#gateway/profiles/index.ts');
    const { decodeModbus, NoRegisterImage, readRegisterImage } = await import('#gateway/decode-modbus.ts');
    const profile = findModbusProfile(options.profile);
    if (!profile) {
      const ids = modbusProfiles.map((each) => each.profile).sort();
      throw new UsageError(`--profile is one of ${ids.join(', ')}${didYouMean(nearest(options.profile, ids))}`, name);
    }
    try {
      const json: unknown = JSON.parse(path === '-' ? await text(shell.stdin) : await readFile(path, 'utf8'));
      const decoded = await decodeModbus(profile, readRegisterImage(json, profile.defaults.unit_id));
      shell.stdout.write(`${JSON.stringify(decoded)}\n`);
      if ('ok' in decoded) shell.exitCode = 1;
    } catch (error) {
      if (error instanceof SyntaxError) throw new UsageError(`${path} is not JSON: ${error.message}.`, name);
      if (error instanceof NoRegisterImage) throw new UsageError(error.message, name);
      throw error;
    }
  },
});

export const decodeModbusCommands = [decode];
