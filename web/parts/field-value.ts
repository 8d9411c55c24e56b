import type { DerTypeId } from '#contract/der.ts';
import { telemetryFields } from '#contract/telemetry.ts';
import { directionWords } from './direction.ts';
import { energy, number, percent, power } from './format.ts';
import { texts } from './text.ts';

const t = texts({ en: { toGive: '{energy} to give' }, sv: { toGive: '{energy} att ge' } });

const unitOf = new Map(telemetryFields.map(({ name, unit }) => [name, unit]));

const flows = /^(L\d_|dc_|ac_|unit1_)?W$/;
const digits: Record<string, number> = { V: 1, A: 2, Hz: 2, '°C': 1 };

/** A measured value with its unit; of a power, the direction in words. */
export const fieldValue = (name: string, value: number, type: DerTypeId): string =>
  flows.test(name) ? `${power(value)}, ${directionWords(type, value)}` : sizeOf(name, unitOf.get(name), value);

function sizeOf(name: string, unit: string | null | undefined, value: number): string {
  if (name.endsWith('_fract')) return percent(value);
  if (unit === 'W') return power(value);
  if (unit === 'Wh') return value < 0 ? t('toGive', { energy: energy(-value) }) : energy(value);
  // Not every device tells which way a current flows; the power beside it does.
  const shown = unit === 'A' ? Math.abs(value) : value;
  return unit ? `${number(shown, digits[unit] ?? 0)} ${unit}` : number(value, 2);
}
