import { type DerKind, derKinds } from '#contract/gateway/reading.ts';
import type { ReadRegisters } from '../../links/modbus/unit.ts';
import type { DeviceMap } from '../map/device-map.ts';
import type { Ders, Fields } from '../map/point.ts';
import { readRatings } from '../map/ratings.ts';
import { recognise } from '../map/recognise.ts';
import { refusal } from '../map/refusal.ts';
import { settle } from '../map/settle.ts';
import type { ModbusProfile, Recognised } from '../modbus-profile.ts';
import { dersOf, ratingsOf } from './ders.ts';
import { discover, type SunSpecDevice } from './discover.ts';

export type SunSpecRules = Omit<ModbusProfile, 'recognise'> & {
  /** who must have made it, and then it must have the first of its kinds; anybody when left out */
  manufacturer?: RegExp;
  /** beside what the models tell */
  extra?: Partial<Record<DerKind, Fields>>;
  /** where its values are when nothing answers at the mark of SunSpec */
  fixed?: Ders;
};

/** A profile from what the device tells in its chain of SunSpec models. */
export const sunspecProfile = (rules: SunSpecRules): ModbusProfile => ({
  ...rules,
  recognise: (read) => recogniseBySunSpec(rules, read),
});

async function recogniseBySunSpec(rules: SunSpecRules, read: ReadRegisters): Promise<Recognised> {
  const { display_name, manufacturer, kinds, fixed, extra = {} } = rules;
  const { device, isAnswered } = await discover(read);
  if (!device && fixed && !isAnswered) return recognise(fixedMap(rules, fixed), read);
  if (!device) throw refusal(rules, 'it has no SunSpec mark at 40000, 0 or 50000');
  if (manufacturer && !manufacturer.test(device.manufacturer)) {
    throw refusal(rules, `its manufacturer is "${device.manufacturer}"`);
  }
  const ders = wanted(await dersOf(device, read), kinds, extra);
  const hasPrincipal = manufacturer ? ders[kinds[0]!] : Object.keys(ders).length > 0;
  if (!hasPrincipal) throw refusal(rules, `it has ${modelNames(device)}, none of which measures one`);

  const measured = await settle(ders, { display_name }, 'high', read);
  return {
    serial: device.serial,
    make: device.manufacturer || rules.make,
    ...(device.model && { model: device.model }),
    ...(await readRatings(ratingsOf(device), {}, measured.ders, read)),
    ...measured,
    certainty: manufacturer ? 'high' : 'medium', // a profile of the maker knows more
  };
}

/** The kinds of the profile that the device has, in their usual order. */
function wanted(found: Ders, kinds: readonly DerKind[], extra: Partial<Record<DerKind, Fields>>): Ders {
  const ders: Ders = {};
  for (const kind of derKinds) {
    if (found[kind] && kinds.includes(kind)) ders[kind] = { ...found[kind], ...extra[kind] };
  }
  return ders;
}

const modelNames = ({ models }: SunSpecDevice): string =>
  models.length === 0 ? 'no models' : `the models ${models.map(({ id }) => id).join(', ')}`;

const fixedMap = ({ extra, ...rules }: SunSpecRules, ders: Ders): DeviceMap => ({
  ...rules,
  confidence: 'medium',
  serial: { at: { kind: 'text', table: 'holding', address: 40_052, words: 16 } },
  ders,
});
