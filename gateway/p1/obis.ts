import type { Values } from '#contract/gateway/reading.ts';
import type { FieldName } from '#contract/telemetry.ts';
import { alignCurrents } from '../profiles/current-signs.ts';

export type Unit = 'W' | 'Wh' | 'VA' | 'VAh' | 'var' | 'varh' | 'V' | 'A' | 'Hz';

// A code is C.D.E of A-B:C.D.E*F: A and B name the medium and the channel, F the billing period.

/** Electricity is 1-0, 1-1 (Kamstrup), or 0-0 (some Norwegian energy); 0-1 and up are sub-meters for gas, water and heat. */
export const isOwnElectricity = (medium: string): boolean => medium === '1-0' || medium === '1-1' || medium === '0-0';

/** A code that becomes a field: its required unit, and its index in `RegisterValues`. */
type Register = { unit: Unit; slot: number };

const registers = new Map<string, Register>();

function register(unit: Unit, code: string): number {
  const slot = registers.size;
  registers.set(code, { unit, slot });
  return slot;
}

const power = (field: FieldName, imported: string, exported: string, net: string) => ({
  field,
  imported: register('W', imported),
  exported: register('W', exported),
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

export const registerOf = (code: string): Register | undefined => registers.get(code);

/** By slot; NaN if not received. */
type RegisterValues = Float64Array;

export const createRegisterValues = (): RegisterValues => new Float64Array(registers.size).fill(Number.NaN);

/** Converts registers to fields: power is import minus export; a total is received, or the sum of its tariffs. */
export function meterValues(readings: RegisterValues): Values {
  const values: Values = {};
  const at = (slot: number): number => readings[slot] ?? Number.NaN;
  for (const { field, imported, exported, net } of powers) {
    const value = netPower(at(imported), at(exported), at(net));
    if (isKnown(value)) values[field] = value;
  }
  const { L1_W, L2_W, L3_W } = values;
  if (L1_W !== undefined && L2_W !== undefined && L3_W !== undefined) values.W ??= toThousandth(L1_W + L2_W + L3_W);
  for (const { field, slot } of levels) {
    if (isKnown(at(slot))) values[field] = at(slot);
  }
  for (const { field, slot, tariffs } of totals) {
    const value = isKnown(at(slot)) ? at(slot) : sumOf(tariffs.map(at));
    if (isKnown(value)) values[field] = value;
  }
  return withSignedCurrents(values);
}

/** Signs the currents, which meters report as magnitudes. The total power of a single-phase meter is that of the phase. */
function withSignedCurrents(values: Values): Values {
  const { W, L1_W, L1_A, L2_A, L3_A } = values;
  const hasOnePhase = L1_A !== undefined && L2_A === undefined && L3_A === undefined;
  if (hasOnePhase && L1_W === undefined && W !== undefined && W < 0) values.L1_A = -Math.abs(L1_A);
  return alignCurrents(values);
}

const isKnown = (value: number): boolean => !Number.isNaN(value);

function netPower(imported: number, exported: number, net: number): number {
  if (isKnown(imported) && isKnown(exported)) return toThousandth(imported - exported);
  if (isKnown(net)) return net;
  const oneWay = isKnown(exported) ? 0 - exported : imported;
  return oneWay === 0 ? Number.NaN : oneWay; // zero in one direction says nothing about the other
}

function sumOf(parts: readonly number[]): number {
  const known = parts.filter(isKnown);
  return known.length > 0 ? toThousandth(known.reduce((sum, part) => sum + part)) : Number.NaN;
}

const powersOfTen = Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`));

/** Returns `mantissa` × 10^`exponent`, rounded to a thousandth, the finest resolution of meters. */
export function scaled(mantissa: number, exponent: number): number | undefined {
  const power = powersOfTen[Math.abs(exponent)];
  if (power === undefined || !Number.isFinite(mantissa) || Math.abs(mantissa) > Number.MAX_SAFE_INTEGER)
    return undefined;
  if (exponent >= 0) return Number.isInteger(mantissa) ? mantissa * power + 0 : toThousandth(mantissa * power);
  return exponent < -3 || !Number.isInteger(mantissa) ? toThousandth(mantissa / power) : mantissa / power + 0;
}

/** Rounds to three decimals; adding zero turns -0 into 0. */
const toThousandth = (value: number): number => Math.round(value * 1000) / 1000 + 0;

// The notation of Swedish meters.
const lineFormats: Record<Unit, { unit: string; shift: number; digits: number; decimals: number }> = {
  W: { unit: 'kW', shift: 3, digits: 4, decimals: 3 },
  var: { unit: 'kVAr', shift: 3, digits: 4, decimals: 3 },
  VA: { unit: 'kVA', shift: 3, digits: 4, decimals: 3 },
  Wh: { unit: 'kWh', shift: 3, digits: 8, decimals: 3 },
  varh: { unit: 'kVArh', shift: 3, digits: 8, decimals: 3 },
  VAh: { unit: 'kVAh', shift: 3, digits: 8, decimals: 3 },
  V: { unit: 'V', shift: 0, digits: 3, decimals: 1 },
  A: { unit: 'A', shift: 0, digits: 3, decimals: 1 },
  Hz: { unit: 'Hz', shift: 0, digits: 2, decimals: 2 },
};

const maxDecimals = 6;

export const textLine = (name: string, text: string): string => `${name}(${text})`;

/** Formats 2021 W as `1-0:1.7.0(0002.021*kW)`; `exponent` is the resolution of the meter. */
export function numberLine(name: string, value: number, unit: Unit | undefined, exponent: number): string {
  if (!unit) return textLine(name, String(value));
  const format = lineFormats[unit];
  const decimals = Math.min(Math.max(format.decimals, format.shift - exponent), maxDecimals);
  const digits = Math.abs(value / 10 ** format.shift)
    .toFixed(decimals)
    .padStart(format.digits + 1 + decimals, '0');
  return textLine(name, `${value < 0 ? '-' : ''}${digits}*${format.unit}`);
}
