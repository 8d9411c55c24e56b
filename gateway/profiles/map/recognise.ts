import { type DerKind, type DerValues, derKinds, type Values } from '#contract/gateway/reading.ts';
import { boundsOf, type FieldName } from '#contract/telemetry.ts';
import { ModbusException, type ReadRegisters } from '../../links/modbus/unit.ts';
import { alignCurrents } from '../current-signs.ts';
import {
  type Confidence,
  type ModbusProfile,
  notThisDevice,
  type ProfileInfo,
  type RecognisedDevice,
} from '../profile.ts';
import { type Check, isMet, readText, runCheck } from './check.ts';
import { type DeviceMap, describeFamily, type MeasurementRules } from './device-map.ts';
import { type Evaluator, evaluatorOf } from './evaluate.ts';
import { readRatings, readSerial } from './nameplate.ts';
import { type Ders, entriesOf, type Fields } from './point.ts';
import { createReadPlan, type RegisterSlot } from './read-plan.ts';

export function modbusProfile(map: DeviceMap): ModbusProfile {
  const variants = 'ders' in map ? [map] : map.variants;
  return {
    ...describeFamily(map),
    kinds: derKinds.filter((kind) => variants.some(({ ders }) => ders[kind])),
    recognise: (read) => recognise(map, read),
  };
}

/** Recognises a device by its register map: first its identification, then its serial number, then its measurements. */
export async function recognise(map: DeviceMap, read: ReadRegisters): Promise<RecognisedDevice> {
  let certainty: Confidence | undefined;
  for (const check of map.identify ?? []) {
    const result = await runCheck(check, map, read);
    if (result.verdict === 'no') {
      throw notThisDevice(map, `register ${check.at.address} (${check.what}) contains ${result.found}`);
    }
    if (result.verdict === 'yes') certainty = check.isInconclusive ? (certainty ?? 'low') : 'high';
  }

  const found = map.serial && (await readSerial(map.serial.at, map, read));
  if (map.serial && found?.verdict === 'no' && map.serial.confidence !== 'low') {
    throw notThisDevice(map, `register ${map.serial.at.address} (serial number) contains no text`);
  }
  if (found?.verdict === 'yes' && certainty !== 'high') {
    certainty = map.serial?.confidence === 'low' ? 'low' : 'medium';
  }

  const measured = await verifyMeasurements(await selectDers(map, read), map, certainty, read);
  const model = map.model && (await readText(map.model, read));
  return {
    serial: found?.serial,
    make: map.make,
    ...(model && { model }),
    ...(await readRatings(map.ratings, map, measured.ders, read)),
    ...measured,
  };
}

async function selectDers(map: DeviceMap, read: ReadRegisters): Promise<Ders> {
  if ('ders' in map) return map.ders;
  for (const { when, ders } of map.variants) {
    if (!when || (await isMet(when, map, read))) return ders;
  }
  throw notThisDevice(map, `it matches no known variant (${map.variants.map(({ name }) => name).join(', ')})`);
}

type VerificationRules = MeasurementRules &
  Pick<ProfileInfo, 'display_name'> & { present?: Partial<Record<DerKind, Check>> };

const gridHz = { min: 45, max: 65 };
const harvestsBetweenSearches = 300;

/** Reads all measurements once, checks that they are plausible, and finds out which DERs are installed. */
export async function verifyMeasurements(
  ders: Ders,
  rules: VerificationRules,
  certainty: Confidence | undefined,
  read: ReadRegisters,
): Promise<Pick<RecognisedDevice, 'ders' | 'harvest' | 'certainty'>> {
  const kinds = derKinds.filter((kind) => ders[kind]);
  const principal = kinds.find((kind) => ders[kind]?.W); // its power must be readable, even if it has no value
  if (!principal) throw notThisDevice(rules, 'it measures no power');
  const measurement = createMeasurement(ders, rules);

  // Most other devices already fail at the first request, so the rest of the map is read only after it.
  const power = measurement.slots(principal, 'W').filter((slot) => slot.isMandatory);
  await createReadPlan(power, rules).read(read);
  const unread = power.find((slot) => slot.words === undefined);
  if (unread) throw notThisDevice(rules, `it does not answer at register ${unread.address}, its power`);

  await measurement.read(read);
  const slots = kinds.flatMap((kind) => measurement.slots(kind));
  if (slots.every((slot) => isFilledWith(0, slot))) throw notThisDevice(rules, 'all its registers are zero');
  if (slots.every((slot) => isFilledWith(0xffff, slot))) throw notThisDevice(rules, 'all its registers are 0xFFFF');

  const frequencies = kinds.map((kind) => measurement.value(kind, 'Hz')).filter((Hz) => Hz !== 0 && !Number.isNaN(Hz));
  const implausible = frequencies.find((Hz) => Hz < gridHz.min || Hz > gridHz.max);
  if (implausible !== undefined) throw notThisDevice(rules, `it reports a grid frequency of ${implausible} Hz`);
  if (certainty !== 'high' && Number.isNaN(measurement.value(principal, 'W'))) {
    throw notThisDevice(
      rules,
      `register ${power[0]?.address} contains no power, and nothing else identifies the device`,
    );
  }
  const confirmed = certainty ?? (frequencies.length > 0 ? 'low' : undefined);
  if (!confirmed) {
    throw notThisDevice(rules, 'neither a serial number nor a grid frequency was found in the expected registers');
  }

  const device = { ders, rules, read };
  const others = kinds.filter((kind) => kind !== principal);
  const missing = await dropMissing(measurement, others, device);
  return {
    ders: kinds.filter((kind) => !missing.includes(kind)),
    certainty: confirmed,
    harvest: createHarvester(measurement, missing, device),
  };
}

type MappedDevice = { ders: Ders; rules: VerificationRules; read: ReadRegisters };

const isFilledWith = (word: number, { words, offset, count }: RegisterSlot): boolean =>
  words === undefined || words.slice(offset, offset + count).every((each) => each === word);

/** Returns the kinds that are not installed, and stops reading them. */
async function dropMissing(
  measurement: Measurement,
  kinds: readonly DerKind[],
  { ders, rules, read }: MappedDevice,
): Promise<DerKind[]> {
  const all = measurement.values();
  const missing: DerKind[] = [];
  for (const kind of kinds) {
    const values = all[kind];
    const check = rules.present?.[kind];
    const isPresent =
      values &&
      !(ders[kind]?.W && values.W === undefined) &&
      !looksDisconnected(kind, values) &&
      (!check || (await runCheck(check, rules, read)).verdict !== 'no');
    if (isPresent) continue;
    measurement.drop(kind);
    missing.push(kind);
  }
  return missing;
}

/** A connected battery has a voltage, and so does a connected meter. */
function looksDisconnected(kind: DerKind, { W, V, SoC_nom_fract, L1_V, L2_V, L3_V }: Values): boolean {
  const voltages = kind === 'battery' ? [V, SoC_nom_fract] : [L1_V, L2_V, L3_V];
  return W === 0 && voltages[0] === 0 && voltages.every((value) => value === undefined || value === 0);
}

/** Returns the function that reads the device. It searches now and then for missing DERs, which may only be asleep or off. */
function createHarvester(
  measurement: Measurement,
  missing: readonly DerKind[],
  device: MappedDevice,
): () => Promise<DerValues> {
  const { ders, rules, read } = device;
  const found: Measurement[] = [];
  let stillMissing = missing;
  let harvests = 0;

  async function search(): Promise<void> {
    const measured = createMeasurement(Object.fromEntries(stillMissing.map((kind) => [kind, ders[kind]])), rules);
    await measured.read(read);
    const before = stillMissing.length;
    stillMissing = await dropMissing(measured, stillMissing, device);
    if (stillMissing.length < before) found.push(measured);
  }

  return async () => {
    if (!(await measurement.read(read))) throw new ModbusException(2);
    if (stillMissing.length > 0 && ++harvests % harvestsBetweenSearches === 0) await search();
    const all = measurement.values();
    for (const part of found) {
      await part.read(read);
      Object.assign(all, part.values());
    }
    return all;
  };
}

type Measurement = ReturnType<typeof createMeasurement>;

type Field = Evaluator & { name: FieldName; min: number; max: number };

/** Prepares all fields that a device measures for repeated reading. */
function createMeasurement(ders: Ders, rules: MeasurementRules) {
  const fieldsOf = new Map(entriesOf(ders).map(([kind, fields]) => [kind, prepare(fields, rules)]));
  const slotsOf = (fields: readonly Field[] = []): RegisterSlot[] => fields.flatMap(({ slots }) => slots);
  const plan = createReadPlan([...fieldsOf.values()].flatMap(slotsOf), rules);
  const find = (kind: DerKind, name: FieldName): Field | undefined =>
    fieldsOf.get(kind)?.find((field) => field.name === name);

  return {
    read: plan.read,
    values(): DerValues {
      const all: DerValues = {};
      for (const [kind, fields] of fieldsOf) {
        const values = plausibleValues(fields);
        if (values) all[kind] = alignCurrents(values);
      }
      return all;
    },
    /** Returns a value without checking that it is plausible; NaN without one. */
    value: (kind: DerKind, name: FieldName): number => find(kind, name)?.value() ?? Number.NaN,
    slots: (kind: DerKind, name?: FieldName): readonly RegisterSlot[] =>
      name === undefined ? slotsOf(fieldsOf.get(kind)) : (find(kind, name)?.slots ?? []),
    drop(kind: DerKind): void {
      plan.drop(new Set(slotsOf(fieldsOf.get(kind))));
      fieldsOf.delete(kind);
    },
  };
}

const prepare = (fields: Fields, rules: MeasurementRules): Field[] =>
  entriesOf(fields).map(([name, expression]) => ({
    name,
    ...boundsOf(name),
    ...evaluatorOf(expression, rules, name === 'W'),
  }));

function plausibleValues(fields: readonly Field[]): Values | undefined {
  let values: Values | undefined;
  for (const { name, min, max, value } of fields) {
    const measured = value();
    if (!(measured >= min && measured <= max)) continue; // also drops NaN
    values ??= {};
    values[name] = measured + 0; // + 0 turns -0 into 0
  }
  return values;
}
