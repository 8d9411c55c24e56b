import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RegisterImage, readFrom } from '../decode-modbus.ts';
import { LinkError } from '../links/link-error.ts';
import { ModbusException, type ReadRegisters } from '../links/modbus/unit.ts';
import { findModbusProfile, modbusProfiles } from './index.ts';
import { NotThisDevice } from './profile.ts';
import { devices } from './testing/devices.ts';
import { i32, imageOf, text, u16, u32 } from './testing/encode.ts';

/** Answers every request, with this word at addresses that the image does not have. */
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
  test(`${profile} rejects registers that are all 0, all 0xFFFF or missing, with a sentence`, async () => {
    for (const read of [answeringWith(0), answeringWith(0xffff), readFrom(imageOf({}))]) {
      const sentence = await refusalOf(profile, read);
      assert.ok(sentence?.includes(` ${display_name}: `), sentence);
      assert.match(sentence ?? '', /^This is not an? .+\.$/);
    }
  });

  test(`${profile} passes link errors and a busy device on to its caller`, async () => {
    for (const failure of [new LinkError('No answer.'), new ModbusException(6)]) {
      await assert.rejects(
        findModbusProfile(profile)!.recognise(() => Promise.reject(failure)),
        failure,
      );
    }
  });
}

// The generic SunSpec profile also accepts devices whose manufacturer has a profile of its own.
const acceptedByGeneric = new Set([
  'solaredge at sunspec',
  'fronius at sunspec',
  'fronius_smart_meter at sunspec',
  'pixii at sunspec',
]);

for (const [kind, readOf] of [
  ['refuses unknown addresses', readFrom],
  ['answers unknown addresses with zero', (image: RegisterImage) => answeringWith(0, image)],
] as const) {
  test(`no profile accepts the device of another profile that ${kind}`, async () => {
    const accepted = new Set<string>();
    for (const device of devices) {
      for (const { profile } of modbusProfiles.filter((each) => each.profile !== device.profile)) {
        const sentence = await refusalOf(profile, readOf(imageOf(device)));
        if (!sentence) accepted.add(`${device.profile} at ${profile}`);
      }
    }
    assert.deepEqual(accepted, acceptedByGeneric);
  });
}

const testImageOf = (profile: string) => imageOf(devices.find((device) => device.profile === profile)!);

for (const { says, profile, change, sentence } of [
  {
    says: 'the message names the register of a missing power',
    profile: 'sungrow',
    change: (image: RegisterImage) => without(image, 'input', 5016),
    sentence: /does not answer at register 5016, its power\.$/,
  },
  {
    says: 'a frequency of 23 Hz',
    profile: 'growatt',
    change: (image: RegisterImage) => withWords(image, 'input', 37, u16(2322)),
    sentence: /grid frequency of 23\.22 Hz\.$/,
  },
  {
    says: 'a frequency of 500 Hz',
    profile: 'sofar',
    change: (image: RegisterImage) => withWords(image, 'holding', 1156, u16(50_000)),
    sentence: /grid frequency of 500 Hz\.$/,
  },
  {
    says: 'a single-phase Deye, which has a different map',
    profile: 'deye',
    change: (image: RegisterImage) => withWords(image, 'holding', 0, u16(3)),
    sentence: /register 0 \(device type\) contains 3\.$/,
  },
  {
    says: 'an SMA communication product',
    profile: 'sma',
    change: (image: RegisterImage) => withWords(image, 'holding', 30_051, u32(8128)),
    sentence: /register 30051 \(device class\) contains 8128\.$/,
  },
  {
    says: 'a model of another manufacturer',
    profile: 'huawei',
    change: (image: RegisterImage) => withWords(image, 'holding', 30_000, text('KTL-9', 15)),
    sentence: /register 30000 \(model name\) contains "KTL-9"\.$/,
  },
  {
    says: 'unprintable bytes instead of the serial number',
    profile: 'goodwe',
    change: (image: RegisterImage) => withWords(image, 'holding', 35_003, [0x0102, 0xfefd]),
    sentence: /register 35003 \(serial number\) contains no text\.$/,
  },
  {
    says: 'a SunSpec device of another manufacturer',
    profile: 'fronius',
    change: (image: RegisterImage) => withWords(image, 'holding', 40_004, text('Frodo', 16)),
    sentence: /its manufacturer is "Frodo"\.$/,
  },
  {
    says: 'no power value, and no other evidence',
    profile: 'solis',
    change: (image: RegisterImage) => withWords(image, 'input', 33_057, i32(-1)),
    sentence: /register 33057 contains no power/,
  },
]) {
  test(`rejected: ${says}`, async () => {
    assert.match((await refusalOf(profile, readFrom(change(testImageOf(profile))))) ?? 'accepted', sentence);
  });
}

function withWords(image: RegisterImage, table: 'holding' | 'input', address: number, words: number[]): RegisterImage {
  return { ...image, [table]: new Map([...image[table], ...words.map((word, i) => [address + i, word] as const)]) };
}

function without(image: RegisterImage, table: 'holding' | 'input', address: number): RegisterImage {
  return { ...image, [table]: new Map([...image[table]].filter(([each]) => each !== address)) };
}

test('a device without serial number and grid frequency is rejected', async () => {
  const image = without(without(testImageOf('sdm630'), 'input', 70), 'input', 71);
  assert.match(
    (await refusalOf('sdm630', readFrom(image))) ?? 'accepted',
    /neither a serial number nor a grid frequency/,
  );
});
