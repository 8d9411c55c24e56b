import type { Unit } from './obis.ts';

type Look = { unit: string; shift: number; digits: number; decimals: number };

// As Swedish meters write them.
const looks: Record<Unit, Look> = {
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

const mostDecimals = 6;

/** A-B:C.D.E of six bytes. */
export const codeText = (obis: Uint8Array): string => `${obis[0]}-${obis[1]}:${obis[2]}.${obis[3]}.${obis[4]}`;

export const textLine = (code: string, text: string): string => `${code}(${text})`;

/** `1-0:1.7.0(0002.021*kW)` of 2021 W; `exponent` is how fine the meter counts. */
export function numberLine(code: string, value: number, unit: Unit | undefined, exponent: number): string {
  if (!unit) return textLine(code, String(value));
  const look = looks[unit];
  const decimals = Math.min(Math.max(look.decimals, look.shift - exponent), mostDecimals);
  const digits = Math.abs(value / 10 ** look.shift)
    .toFixed(decimals)
    .padStart(look.digits + 1 + decimals, '0');
  return textLine(code, `${value < 0 ? '-' : ''}${digits}*${look.unit}`);
}
