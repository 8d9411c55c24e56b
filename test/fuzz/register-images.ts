import { boundsOf } from '#contract/telemetry.ts';
import { LinkError } from '#gateway/links/link-error.ts';
import { ModbusException, type ReadRegisters, type RegisterTable } from '#gateway/links/modbus/unit.ts';
import { createRandom, type Random } from '#gateway/p1/testing/fuzz-damage.ts';
import { findModbusProfile } from '#gateway/profiles/index.ts';
import type { ModbusProfile } from '#gateway/profiles/profile.ts';
import { NotThisDevice } from '#gateway/profiles/profile.ts';
import { devices } from '#gateway/profiles/testing/devices.ts';
import { imageOf } from '#gateway/profiles/testing/encode.ts';
import type { FuzzReport } from './fuzz-report.ts';

type Image = Record<RegisterTable, ReadonlyMap<number, number>>;
type Damaged = { words: Map<number, number>; refusals: Map<number, number>; silentAfter: number };

const mostChanges = 12;
const longestRefusal = 20; // consecutive registers
const special = [0, 1, 0x7fff, 0x8000, 0xffff, 0xff7f, 0x7fc0];
const suspiciousMs = 2;

export const knownDevices = devices.map((device) => {
  const image = imageOf(device);
  return {
    profile: findModbusProfile(device.profile)!,
    image,
    addresses: [...image.holding.keys(), ...image.input.keys()],
  };
});

/** Devices whose registers have other values, are refused, or stop answering: plausible values, or a reason. */
export async function fuzzRegisterImages(seed: number, cases: number, among = knownDevices): Promise<FuzzReport> {
  const random = createRandom(seed);
  const report: FuzzReport = { cases, frames: 0, wrong: [], slowestMs: 0 };
  for (let done = 0; done < cases; done++) {
    const { profile, image, addresses } = among[random.below(among.length)]!;
    const damaged = someDamage(addresses, random);
    const looked = await look(profile, image, damaged);
    report.frames += looked.readings;
    report.wrong.push(...looked.faults.map((fault) => `${profile.profile}: ${fault}`));
    let { tookMs } = looked;
    for (let again = 0; again < 5 && tookMs > suspiciousMs; again++) {
      tookMs = Math.min(tookMs, (await look(profile, image, damaged)).tookMs);
    }
    report.slowestMs = Math.max(report.slowestMs, tookMs);
  }
  return report;
}

function someDamage(addresses: readonly number[], random: Random): Damaged {
  const place = (): number => addresses[random.below(addresses.length)]!;
  const word = (): number => (random.below(2) ? random.below(0x1_0000) : special[random.below(special.length)]!);
  const words = new Map<number, number>();
  for (let left = random.below(mostChanges + 1); left > 0; left--) words.set(place(), word());
  const refusals = new Map<number, number>();
  for (let left = Math.max(0, random.below(6) - 2); left > 0; left--) {
    const [from, code] = [place(), 1 + random.below(11)];
    for (let count = random.below(longestRefusal); count >= 0; count--) refusals.set(from + count, code);
  }
  return { words, refusals, silentAfter: random.below(10) ? Number.POSITIVE_INFINITY : random.below(12) };
}

type Looked = { readings: number; faults: string[]; tookMs: number };

async function look(profile: ModbusProfile, image: Image, damaged: Damaged): Promise<Looked> {
  const read = readerOf(image, damaged);
  const began = performance.now();
  let faults: string[] = [];
  let readings = 0;
  try {
    const device = await profile.recognise(read);
    for (const [kind, values] of Object.entries(await device.harvest())) {
      readings++;
      for (const [name, value] of Object.entries(values)) {
        if (!isPlausible(name, value)) faults.push(`${kind}.${name} is ${String(value)}`);
      }
    }
  } catch (error) {
    const isReason = error instanceof NotThisDevice || error instanceof ModbusException || error instanceof LinkError;
    if (!isReason) faults = [`threw ${String(error)}`];
  }
  return { readings, faults, tookMs: performance.now() - began };
}

function readerOf(image: Image, { words, refusals, silentAfter }: Damaged): ReadRegisters {
  let requests = 0;
  return async (table, address, count) => {
    if (requests++ >= silentAfter) throw new LinkError('The device stopped answering.');
    return Array.from({ length: count }, (_, index) => {
      const at = address + index;
      const word = image[table].get(at);
      if (word === undefined || refusals.has(at)) throw new ModbusException(refusals.get(at) ?? 2);
      return words.get(at) ?? word;
    });
  };
}

function isPlausible(name: string, value: unknown): boolean {
  const { min: least, max: most } = boundsOf(name);
  return typeof value === 'number' && value >= least && value <= most && !Object.is(value, -0);
}
