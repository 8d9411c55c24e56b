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

  const values = measurement.values();
  for (const kind of kinds) {
    if (kind !== principal && !(await isPresent(kind, values, ders, rules, read))) measurement.drop(kind);
  }
  return {
    ders: kinds.filter((kind) => measurement.cells(kind).length > 0),
    certainty: sure,
    harvest: () => harvest(measurement, read),
  };
}

/** The part without which the device would not be one: it need not have a value, but must be readable. */
const principalOf = (ders: Ders): DerKind =>
  (['pv', 'battery', 'meter'] as const).find((kind) => ders[kind]?.W) ?? (Object.keys(ders)[0] as DerKind);

const isFilledWith = (word: number, { words, at, count }: Cell): boolean =>
  words === undefined || words.slice(at, at + count).every((each) => each === word);

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

async function harvest(measurement: Measurement, read: ReadRegisters): Promise<DerValues> {
  if (!(await measurement.read(read))) throw new ModbusException(2);
  return measurement.values();
}
