import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RegisterImage, readFrom } from '../decode-modbus.ts';
import { LinkError } from '../links/link-error.ts';
import { ModbusException, type ReadRegisters } from '../links/modbus/unit.ts';
import { findModbusProfile, modbusProfiles } from './modbus-profiles.ts';
import { NotThisDevice } from './profile.ts';
import { devices } from './testing/devices.ts';
import { i32, imageOf, text, u16, u32 } from './testing/encode.ts';

/** Answers everywhere, with this word where the image has nothing. */
const answeringWith =
  (word: number, image?: RegisterImage): ReadRegisters =>
  async (table, address, count) =>
    Array.from({ length: count }, (_, index) => image?.[table].get(address + index) ?? word);

const refusalOf = async (profile: string, read: ReadRegisters): Promise<string | undefined> => {
  try {
    await findModbusProfile(profile)!.recognise(read);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof NotThisDevice, `${profile} throws ${String(error)}`);
    return error.message;
  }
};

for (const { profile, display_name } of modbusProfiles) {
  test(`${profile} refuses what it cannot have measured, in a sentence`, async () => {
    for (const read of [answeringWith(0), answeringWith(0xffff), readFrom(imageOf({}))]) {
      const sentence = await refusalOf(profile, read);
      assert.ok(sentence?.includes(` ${display_name}: `), sentence);
      assert.match(sentence ?? '', /^This is not an? .+\.$/);
    }
  });

  test(`${profile} leaves a broken line and a busy device to its caller`, async () => {
    for (const failure of [new LinkError('No answer.'), new ModbusException(6)]) {
      await assert.rejects(
        findModbusProfile(profile)!.recognise(() => Promise.reject(failure)),
        failure,
      );
    }
  });
}

// The generic profile is for what follows the standard, also when a maker has a profile of its own.
const foreignButRight = new Set([
  'solaredge at sunspec',
  'fronius at sunspec',
  'fronius_smart_meter at sunspec',
  'pixii at sunspec',
]);

for (const [kind, readOf] of [
  ['refuses addresses that it does not have', readFrom],
  ['answers zero where it has nothing', (image: RegisterImage) => answeringWith(0, image)],
] as const) {
  test(`no profile takes the device of another one that ${kind}`, async () => {
    const taken = new Set<string>();
    for (const device of devices) {
      for (const { profile } of modbusProfiles.filter((each) => each.profile !== device.profile)) {
        const sentence = await refusalOf(profile, readOf(imageOf(device)));
        if (!sentence) taken.add(`${device.profile} at ${profile}`);
      }
    }
    assert.deepEqual(taken, foreignButRight);
  });
}

const paperOf = (profile: string) => imageOf(devices.find((device) => device.profile === profile)!);

for (const { says, profile, change, sentence } of [
  {
    says: 'a missing power names its register',
    profile: 'sungrow',
    change: (image: RegisterImage) => without(image, 'input', 5016),
    sentence: /does not answer at register 5016, its power\.$/,
  },
  {
    says: 'a frequency of no grid',
    profile: 'growatt',
    change: (image: RegisterImage) => withWords(image, 'input', 37, u16(2322)),
    sentence: /grid frequency of 23\.22 Hz\.$/,
  },
  {
    says: 'a frequency beyond measure',
    profile: 'sofar',
    change: (image: RegisterImage) => withWords(image, 'holding', 1156, u16(50_000)),
    sentence: /grid frequency of 500 Hz\.$/,
  },
  {
    says: 'a Deye with one phase, which has another map',
    profile: 'deye',
    change: (image: RegisterImage) => withWords(image, 'holding', 0, u16(3)),
    sentence: /register 0 \(device type\) holds 3\.$/,
  },
  {
    says: 'a communication product of SMA',
    profile: 'sma',
    change: (image: RegisterImage) => withWords(image, 'holding', 30_051, u32(8128)),
    sentence: /register 30051 \(device class\) holds 8128\.$/,
  },
  {
    says: 'a model of another maker',
    profile: 'huawei',
    change: (image: RegisterImage) => withWords(image, 'holding', 30_000, text('KTL-9', 15)),
    sentence: /register 30000 \(model name\) holds "KTL-9"\.$/,
  },
  {
    says: 'bytes where the serial number should be',
    profile: 'goodwe',
    change: (image: RegisterImage) => withWords(image, 'holding', 35_003, [0x0102, 0xfefd]),
    sentence: /register 35003 \(serial number\) holds no text\.$/,
  },
  {
    says: 'a SunSpec device of somebody else',
    profile: 'fronius',
    change: (image: RegisterImage) => withWords(image, 'holding', 40_004, text('Frodo', 16)),
    sentence: /its manufacturer is "Frodo"\.$/,
  },
  {
    says: 'a power that is no number, and no proof',
    profile: 'solis',
    change: (image: RegisterImage) => withWords(image, 'input', 33_057, i32(-1)),
    sentence: /register 33057 holds no power/,
  },
]) {
  test(`refused: ${says}`, async () => {
    assert.match((await refusalOf(profile, readFrom(change(paperOf(profile))))) ?? 'taken', sentence);
  });
}

function withWords(image: RegisterImage, table: 'holding' | 'input', address: number, words: number[]): RegisterImage {
  return { ...image, [table]: new Map([...image[table], ...words.map((word, i) => [address + i, word] as const)]) };
}

function without(image: RegisterImage, table: 'holding' | 'input', address: number): RegisterImage {
  return { ...image, [table]: new Map([...image[table]].filter(([each]) => each !== address)) };
}

test('a device without serial number and frequency in their places is not believed', async () => {
  const image = without(without(paperOf('sdm630'), 'input', 70), 'input', 71);
  assert.match(
    (await refusalOf('sdm630', readFrom(image))) ?? 'taken',
    /neither a serial number nor the grid frequency/,
  );
});
