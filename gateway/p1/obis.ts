import type { Values } from '#contract/gateway/reading.ts';
import type { FieldName } from '#contract/telemetry.ts';
import { alignCurrents } from '../profiles/current-signs.ts';
import { toThousandth } from './decimal.ts';

export type Unit = 'W' | 'Wh' | 'VA' | 'VAh' | 'var' | 'varh' | 'V' | 'A' | 'Hz';

/** C, D and E of A-B:C.D.E*F as one number: A and B name the medium and the channel, F the billing period. */
export const codeOf = (c: number, d: number, e: number): number => (c << 16) | (d << 8) | e;

export function parseCode(text: string): number {
  const [c, d, e] = text.split('.').map(Number);
  return codeOf(c!, d!, e!);
}

/** Electricity is 1-0, 1-1 at Kamstrup and 0-0 in some Norwegian energy; 0-1 and up are gas, water and heat behind the meter. */
export const isOwn = (a: number, b: number): boolean => (a === 1 && b <= 1) || (a === 0 && b === 0);

/** A code that becomes a field: the unit it must have to count, and its place among the registers. */
export type Register = { unit: Unit; slot: number };

const registers = new Map<number, Register>();

function register(unit: Unit, code: string): number {
  const slot = registers.size;
  registers.set(parseCode(code), { unit, slot });
  return slot;
}

const power = (field: FieldName, taken: string, given: string, net: string) => ({
  field,
  taken: register('W', taken),
  given: register('W', given),
  net: register('W', net),
});

const level = (field: FieldName, unit: Unit, code: string) => ({ field, slot: register(unit, code) });

const total = (field: FieldName, code: string, tariffs: readonly string[]) => ({
  field,
  slot: register('Wh', code),
  tariffs: tariffs.map((tariff) => register('Wh', tariff)),
});

const powers = [
  power('W', '1.7.0', '2.7.0', '16.7.0'),
  power('L1_W', '21.7.0', '22.7.0', '36.7.0'),
  power('L2_W', '41.7.0', '42.7.0', '56.7.0'),
  power('L3_W', '61.7.0', '62.7.0', '76.7.0'),
];

const levels = [
  level('L1_V', 'V', '32.7.0'),
  level('L2_V', 'V', '52.7.0'),
  level('L3_V', 'V', '72.7.0'),
  level('L1_A', 'A', '31.7.0'),
  level('L2_A', 'A', '51.7.0'),
  level('L3_A', 'A', '71.7.0'),
  level('Hz', 'Hz', '14.7.0'),
];

const totals = [
  total('total_import_Wh', '1.8.0', ['1.8.1', '1.8.2', '1.8.3', '1.8.4']),
  total('total_export_Wh', '2.8.0', ['2.8.1', '2.8.2', '2.8.3', '2.8.4']),
];

export const registerOf = (code: number): Register | undefined => registers.get(code);

/** By slot; NaN where nothing was said. */
export type Readings = Float64Array;

export const noReadings = (): Readings => new Float64Array(registers.size).fill(Number.NaN);

/** Turns registers into fields: power is import minus export, a total is sent or the sum of its tariffs. */
export function meterValues(readings: Readings): Values {
  const values: Values = {};
  for (const { field, taken, given, net } of powers) {
    const value = netPower(readings[taken]!, readings[given]!, readings[net]!);
    if (isSaid(value)) values[field] = value;
  }
  const { L1_W, L2_W, L3_W } = values;
  if (L1_W !== undefined && L2_W !== undefined && L3_W !== undefined) values.W ??= toThousandth(L1_W + L2_W + L3_W);
  for (const { field, slot } of levels) {
    if (isSaid(readings[slot]!)) values[field] = readings[slot]!;
  }
  for (const { field, slot, tariffs } of totals) {
    const value = isSaid(readings[slot]!) ? readings[slot]! : sumOf(readings, tariffs);
    if (isSaid(value)) values[field] = value;
  }
  return withSignedCurrents(values);
}

/** Meters report currents as magnitudes. On a meter with one phase the total power is that of the phase. */
function withSignedCurrents(values: Values): Values {
  const { W, L1_W, L1_A, L2_A, L3_A } = values;
  const hasOnePhase = L1_A !== undefined && L2_A === undefined && L3_A === undefined;
  if (hasOnePhase && L1_W === undefined && W !== undefined && W < 0) values.L1_A = -Math.abs(L1_A);
  return alignCurrents(values);
}

const isSaid = (value: number): boolean => !Number.isNaN(value);

function netPower(taken: number, given: number, net: number): number {
  if (isSaid(taken) && isSaid(given)) return toThousandth(taken - given);
  if (isSaid(net)) return net;
  const told = isSaid(given) ? 0 - given : taken;
  return told === 0 ? Number.NaN : told; // nothing this way; what goes the other way was not told
}

function sumOf(readings: Readings, slots: readonly number[]): number {
  const said = slots.map((slot) => readings[slot]!).filter(isSaid);
  return said.length > 0 ? toThousandth(said.reduce((sum, part) => sum + part)) : Number.NaN;
}
