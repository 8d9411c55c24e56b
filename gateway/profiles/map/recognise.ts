import type { ReadRegisters } from '../../links/modbus/unit.ts';
import type { Recognised } from '../modbus-profile.ts';
import type { Confidence } from '../profile.ts';
import { examine, holds } from './check.ts';
import type { DeviceMap } from './device-map.ts';
import type { Ders } from './point.ts';
import { readRatings } from './ratings.ts';
import { refusal } from './refusal.ts';
import { readSerial } from './serial.ts';
import { settle } from './settle.ts';
import { readText } from './text.ts';

/** Looks at the device, from the cheapest and clearest evidence to its measurements. */
export async function recognise(map: DeviceMap, read: ReadRegisters): Promise<Recognised> {
  let certainty: Confidence | undefined;
  for (const check of map.identify ?? []) {
    const outcome = await examine(check, map, read);
    if (outcome.verdict === 'no') {
      throw refusal(map, `register ${check.at.address} (${check.what}) holds ${outcome.found}`);
    }
    if (outcome.verdict === 'yes') certainty = check.isNoProof ? (certainty ?? 'low') : 'high';
  }

  const { serial, verdict } = map.serial ? await readSerial(map.serial.at, map, read) : noSerial;
  if (verdict === 'no' && map.serial?.confidence !== 'low') {
    throw refusal(map, `register ${map.serial?.at.address} (serial number) holds no text`);
  }
  if (verdict === 'yes' && certainty !== 'high') certainty = map.serial?.confidence === 'low' ? 'low' : 'medium';

  const measured = await settle(await dersOf(map, read), map, certainty, read);
  const model = map.model && (await readText(map.model, read));
  return {
    serial,
    make: map.make,
    ...(model && { model }),
    ...(await readRatings(map.ratings, map, measured.ders, read)),
    ...measured,
  };
}

const noSerial = { serial: undefined, verdict: 'silent' } as const;

async function dersOf(map: DeviceMap, read: ReadRegisters): Promise<Ders> {
  if ('ders' in map) return map.ders;
  for (const { when, ders } of map.variants) {
    if (!when || (await holds(when, map, read))) return ders;
  }
  throw refusal(map, `it is none of ${map.variants.map(({ name }) => name).join(', ')}`);
}
