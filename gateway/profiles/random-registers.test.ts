import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boundsOf } from '#contract/telemetry.ts';
import { amount } from '#test/amount.ts';
import { readFrom } from '../decode-modbus.ts';
import { ModbusException, type ReadRegisters } from '../links/modbus/unit.ts';
import { findModbusProfile, modbusProfiles } from './index.ts';
import { type ModbusProfile, NotThisDevice } from './profile.ts';
import { devices } from './testing/devices.ts';
import { imageOf } from './testing/encode.ts';

const profile = fc.constantFrom(...modbusProfiles);
const word = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }),
  fc.constantFrom(0, 1, 0x7fff, 0x8000, 0xffff, 0xff7f, 0x7fc0),
);

/** Recognises and reads a device; every value must be plausible, and every error a NotThisDevice or ModbusException. */
async function assertHarmless(profile: ModbusProfile, read: ReadRegisters): Promise<void> {
  try {
    const device = await profile.recognise(read);
    for (const [kind, values] of Object.entries(await device.harvest())) {
      for (const [name, value] of Object.entries(values)) {
        const { min, max } = boundsOf(name);
        const isPlausible = typeof value === 'number' && value >= min && value <= max && !Object.is(value, -0);
        assert.ok(isPlausible, `${profile.profile} ${kind}.${name} is ${String(value)}`);
      }
    }
  } catch (error) {
    if (!(error instanceof NotThisDevice || error instanceof ModbusException)) throw error;
  }
}

test('random registers give plausible values or an error', async () => {
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
    { numRuns: amount(600) },
  );
});

test('a test device with random changes gives plausible values or an error', async () => {
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
    { numRuns: amount(1500) },
  );
});
