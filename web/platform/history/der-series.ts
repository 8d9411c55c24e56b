import type { DerHistory } from '#contract/cloud/telemetry.ts';
import type { DerTypeId } from '#contract/der.ts';
import { idleW } from '#contract/direction.ts';
import type { ChartSeries, ColourName } from '../../chart/chart.tsx';
import { directionWords } from '../../parts/der-words.ts';
import { fieldWords, partWords } from '../../parts/field-words.ts';
import { energy, number, percent, power } from '../../parts/text.ts';
import { fieldsIn, type Group, isDirected, signOf, unitOf } from './der-fields.ts';

/** Returns the label of a field. Fields of a phase or string are named after it, as the chart names the quantity. */
function fieldName(field: string): string {
  const part = field.slice(0, field.lastIndexOf('_'));
  return partWords.has(part) ? partWords(part) : fieldWords(field);
}

const typeColours: Record<DerTypeId, ColourName> = {
  solar: 'sun',
  battery: 'battery',
  meter: 'grid-in',
  ev_charger_port: 'car',
  load: 'load',
};

/** of the fields after the first */
const otherColours = ['accent', 'grid-out', 'warning', 'car', 'problem', 'load'] as const;

export function derSides(type: DerTypeId): { up: string; down: string } {
  const [plus, minus] = [directionWords(type, idleW), directionWords(type, -idleW)];
  return type === 'solar' ? { up: minus, down: plus } : { up: plus, down: minus };
}

export function sizeText(value: number, unit: string): string {
  if (unit === 'W') return power(value);
  if (unit === 'Wh') return energy(value);
  if (unit === '%') return percent(value);
  return `${number(value, unit === 'Hz' ? 3 : 1)} ${unit}`;
}

/** Returns the fields of a group as lines. Percentages are dashed, as they have their own axis. */
export function derSeries({ points }: DerHistory, type: DerTypeId, group: Group): ChartSeries[] {
  const fields = fieldsIn(group, new Set(points.flatMap((point) => Object.keys(point))));
  const sides = derSides(type);
  const colours = [typeColours[type], ...fields.flatMap(() => otherColours)];
  return fields.map((field, place): ChartSeries => {
    const unit = unitOf(field);
    const sign = signOf(type, field);
    const withDirection = (value: number): string => {
      const size = sizeText(Math.abs(value), unit);
      return value === 0 ? size : `${size}, ${value > 0 ? sides.up : sides.down}`;
    };
    const isShare = unit === '%';
    return {
      name: fieldName(field),
      unit,
      kind: 'line',
      dashed: isShare,
      colour: isShare ? 'ink-soft' : (colours[place] ?? 'ink-soft'),
      values: points.map(({ [field]: value }) => value && (unit === 'A' ? Math.abs(value) : value * sign)),
      ...(isDirected(field) && { format: withDirection }),
    };
  });
}

export const groupsOf = ({ points }: DerHistory, among: readonly Group[]): Group[] => {
  const fields = new Set(points.flatMap((point) => Object.keys(point)));
  return among.filter((group) => fieldsIn(group, fields).length > 0);
};
