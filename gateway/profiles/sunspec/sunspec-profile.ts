import { type DerKind, derKinds } from '#contract/gateway/reading.ts';
import type { ReadRegisters } from '../../links/modbus/unit.ts';
import { type DeviceMap, describeFamily, type Family } from '../map/device-map.ts';
import { readRatings } from '../map/nameplate.ts';
import type { Ders, Fields } from '../map/point.ts';
import { recognise, verifyMeasurements } from '../map/recognise.ts';
import { type ModbusProfile, notThisDevice, type RecognisedDevice } from '../profile.ts';
import { dersOf, ratingsOf } from './ders.ts';
import { discover, type SunSpecDevice } from './discover.ts';

type SunSpecRules = Family & {
  kinds: readonly DerKind[];
  /** required manufacturer, whose devices must have the first of `kinds`; any manufacturer if omitted */
  manufacturer?: RegExp;
  /** fields in addition to those of the models */
  extra?: Partial<Record<DerKind, Fields>>;
  /** register map for devices that do not answer at the addresses of the SunSpec mark */
  fixed?: Ders;
};

/** Makes a profile for a device that describes itself in a chain of SunSpec models. */
export const sunspecProfile = (rules: SunSpecRules): ModbusProfile => ({
  ...describeFamily(rules),
  kinds: rules.kinds,
  recognise: (read) => recogniseBySunSpec(rules, read),
});

async function recogniseBySunSpec(rules: SunSpecRules, read: ReadRegisters): Promise<RecognisedDevice> {
  const { display_name, manufacturer, kinds, fixed, extra = {} } = rules;
  const { device, isAnswered } = await discover(read);
  if (!device && fixed && !isAnswered) return recognise(fixedMap(rules, fixed), read);
  if (!device) throw notThisDevice(rules, 'it has no SunSpec mark at 40000, 0 or 50000');
  if (manufacturer && !manufacturer.test(device.manufacturer)) {
    throw notThisDevice(rules, `its manufacturer is "${device.manufacturer}"`);
  }
  const ders = select(await dersOf(device, read), kinds, extra);
  const [principal] = kinds;
  const hasPrincipal = manufacturer && principal ? ders[principal] : Object.keys(ders).length > 0;
  if (!hasPrincipal) throw notThisDevice(rules, `it has ${modelNames(device)}, none of which measures it`);

  const measured = await verifyMeasurements(ders, { display_name }, 'high', read);
  return {
    serial: device.serial,
    make: device.manufacturer || rules.make,
    ...(device.model && { model: device.model }),
    ...(await readRatings(ratingsOf(device), {}, measured.ders, read)),
    ...measured,
    certainty: manufacturer ? 'high' : 'medium', // the profile of the manufacturer knows more
  };
}

/** Selects the kinds of the profile, and adds its extra fields. */
function select(found: Ders, kinds: readonly DerKind[], extra: Partial<Record<DerKind, Fields>>): Ders {
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
