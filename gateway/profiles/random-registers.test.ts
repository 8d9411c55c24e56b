import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boundsOf } from '#contract/telemetry.ts';
import { readFrom } from '../decode-modbus.ts';
import { ModbusException, type ReadRegisters } from '../links/modbus/unit.ts';
import type { ModbusProfile } from './modbus-profile.ts';
import { findModbusProfile, modbusProfiles } from './modbus-profiles.ts';
import { NotThisDevice } from './profile.ts';
import { devices } from './testing/devices.ts';
import { imageOf } from './testing/encode.ts';

const profile = fc.constantFrom(...modbusProfiles);
const word = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }),
  fc.constantFrom(0, 1, 0x7fff, 0x8000, 0xffff, 0xff7f, 0x7fc0),
);

/** Recognises and harvests; everything that comes out must be a plausible number, everything thrown an answer. */
async function assertHarmless(profile: ModbusProfile, read: ReadRegisters): Promise<void> {
  try {
    const device = await profile.recognise(read);
    for (const [kind, values] of Object.entries(await device.harvest())) {
      for (const [name, value] of Object.entries(values)) {
        const { min: least, max: most } = boundsOf(name);
        const isPlausible = typeof value === 'number' && value >= least && value <= most && !Object.is(value, -0);
        assert.ok(isPlausible, `${profile.profile} ${kind}.${name} is ${String(value)}`);
      }
    }
  } catch (error) {
    if (!(error instanceof NotThisDevice || error instanceof ModbusException)) throw error;
  }
}

test('registers of noise give an answer or a refusal', async () => {
  await fc.assert(
    fc.asyncProperty(
      profile,
      fc.array(word, { minLength: 1, maxLength: 40 }),
      fc.nat(12),
      async (profile, words, holes) => {
        const read: ReadRegisters = async (_table, address, count) => {
          if (holes > 0 && Math.floor(address / 10) % (holes + 1) === 0) throw new ModbusException(2);
          return Array.from({ length: count }, (_, index) => words[(address + index) % words.length]!);
        };
        await assertHarmless(profile, read);
      },
    ),
    { numRuns: 600 },
  );
});

test('a device of paper with some registers changed gives an answer or a refusal', async () => {
  const change = fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), word);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...devices), fc.array(change, { maxLength: 12 }), async (device, changes) => {
      const image = imageOf(device);
      for (const [place, word] of changes) {
        const table = image.holding.size > image.input.size ? image.holding : image.input;
        table.set([...table.keys()][Math.floor(place * table.size)]!, word);
      }
      await assertHarmless(findModbusProfile(device.profile)!, readFrom(image));
    }),
    { numRuns: 1500 },
  );
});
