import type { DerKind, DerValues, Values } from '#contract/gateway/reading.ts';
import { ModbusException, type ReadRegisters } from '../../links/modbus/unit.ts';
import type { Recognised } from '../modbus-profile.ts';
import type { Confidence, ProfileInfo } from '../profile.ts';
import { type Check, examine } from './check.ts';
import { createMeasurement, type Measurement, type MeasurementRules } from './measurement.ts';
import type { Ders } from './point.ts';
import { type Cell, createReadPlan } from './read-plan.ts';
import { refusal } from './refusal.ts';

export type SettleRules = MeasurementRules &
  Pick<ProfileInfo, 'display_name'> & { present?: Partial<Record<DerKind, Check>> };

type Settled = Pick<Recognised, 'ders' | 'harvest' | 'certainty'>;

const gridHz = { least: 45, most: 65 };
const harvestsUntilSought = 300;

/** Measures for the first time: is this plausible for such a device, and which parts does it have? */
export async function settle(
  ders: Ders,
  rules: SettleRules,
  certainty: Confidence | undefined,
  read: ReadRegisters,
): Promise<Settled> {
  const principal = principalOf(ders);
  const measurement = createMeasurement(ders, rules);

  // The first request tells most other devices apart; the rest of the map is for those that answer it.
  const power = measurement.cells(principal, 'W').filter((cell) => cell.isMandatory);
  await createReadPlan(power, rules).read(read);
  const unread = power.find((cell) => cell.words === undefined);
  if (unread) throw refusal(rules, `it does not answer at register ${unread.address}, its power`);

  await measurement.read(read);
  const kinds = Object.keys(ders) as DerKind[];
  const cells = kinds.flatMap((kind) => measurement.cells(kind));
  if (cells.every((cell) => isFilledWith(0, cell))) throw refusal(rules, 'it answers with nothing but zeros');
  if (cells.every((cell) => isFilledWith(0xffff, cell))) throw refusal(rules, 'it answers with nothing but ones');

  const frequencies = kinds.map((kind) => measurement.value(kind, 'Hz')).filter((Hz) => Hz !== 0 && !Number.isNaN(Hz));
  const strange = frequencies.find((Hz) => Hz < gridHz.least || Hz > gridHz.most);
  if (strange !== undefined) throw refusal(rules, `it tells a grid frequency of ${strange} Hz`);
  if (certainty !== 'high' && Number.isNaN(measurement.value(principal, 'W'))) {
    throw refusal(rules, `register ${power[0]?.address} holds no power, and nothing else proves what it is`);
  }
  const sure = certainty ?? (frequencies.length > 0 ? 'low' : undefined);
  if (!sure) throw refusal(rules, 'neither a serial number nor the grid frequency is where such a device has it');

  const others = kinds.filter((kind) => kind !== principal);
  const missing = await dropMissing(measurement, others, ders, rules, read);
  return {
    ders: kinds.filter((kind) => !missing.includes(kind)),
    certainty: sure,
    harvest: harvester(measurement, missing, ders, rules, read),
  };
}

/** The part without which the device would not be one: it need not have a value, but must be readable. */
const principalOf = (ders: Ders): DerKind =>
  (['pv', 'battery', 'meter'] as const).find((kind) => ders[kind]?.W) ?? (Object.keys(ders)[0] as DerKind);

const isFilledWith = (word: number, { words, at, count }: Cell): boolean =>
  words === undefined || words.slice(at, at + count).every((each) => each === word);

/** Of these kinds those that are not there; they are measured no more. */
async function dropMissing(
  measurement: Measurement,
  kinds: readonly DerKind[],
  ders: Ders,
  rules: SettleRules,
  read: ReadRegisters,
): Promise<DerKind[]> {
  const values = measurement.values();
  const missing: DerKind[] = [];
  for (const kind of kinds) {
    if (await isPresent(kind, values, ders, rules, read)) continue;
    measurement.drop(kind);
    missing.push(kind);
  }
  return missing;
}

async function isPresent(
  kind: DerKind,
  all: DerValues,
  ders: Ders,
  rules: SettleRules,
  read: ReadRegisters,
): Promise<boolean> {
  const values = all[kind];
  if (!values || (ders[kind]?.W && values.W === undefined) || looksUnplugged(kind, values)) return false;
  const check = rules.present?.[kind];
  return !check || (await examine(check, rules, read)).verdict !== 'no';
}

/** A battery that is connected has a voltage, and so has a meter. */
function looksUnplugged(kind: DerKind, { W, V, SoC_nom_fract, L1_V, L2_V, L3_V }: Values): boolean {
  const voltages = kind === 'battery' ? [V, SoC_nom_fract] : [L1_V, L2_V, L3_V];
  return W === 0 && voltages[0] === 0 && voltages.every((value) => value === undefined || value === 0);
}

/** What is missing may be asleep, or switched off for a while: now and then it is looked for. */
function harvester(
  measurement: Measurement,
  missing: readonly DerKind[],
  ders: Ders,
  rules: SettleRules,
  read: ReadRegisters,
): () => Promise<DerValues> {
  const found: Measurement[] = [];
  let sought = missing;
  let harvests = 0;

  async function lookAgain(): Promise<void> {
    const again = createMeasurement(Object.fromEntries(sought.map((kind) => [kind, ders[kind]])), rules);
    await again.read(read);
    const before = sought.length;
    sought = await dropMissing(again, sought, ders, rules, read);
    if (sought.length < before) found.push(again);
  }

  return async () => {
    if (!(await measurement.read(read))) throw new ModbusException(2);
    if (sought.length > 0 && ++harvests % harvestsUntilSought === 0) await lookAgain();
    const all = measurement.values();
    for (const part of found) {
      await part.read(read);
      Object.assign(all, part.values());
    }
    return all;
  };
}
