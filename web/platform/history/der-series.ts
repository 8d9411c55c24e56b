import type { DerHistory } from '#contract/cloud/telemetry.ts';
import type { DerTypeId } from '#contract/der.ts';
import { idleW } from '#contract/direction.ts';
import type { ChartSeries, ColourName } from '../../chart/chart.tsx';
import { directionWords } from '../../parts/direction.ts';
import { energy, number, percent, power } from '../../parts/format.ts';
import { fieldsIn, type Group, isDirected, signOf, unitOf } from './der-fields.ts';
import { fieldName } from './field-words.ts';

const typeColours: Record<DerTypeId, ColourName> = {
  solar: 'sun',
  battery: 'battery',
  meter: 'grid-in',
  ev_charger_port: 'car',
  load: 'load',
};

const others: ColourName[] = ['accent', 'grid-out', 'warning', 'car', 'problem', 'load'];

/** The words for what is above and below zero. */
export function derSides(type: DerTypeId): { up: string; down: string } {
  const [plus, minus] = [directionWords(type, idleW), directionWords(type, -idleW)];
  return type === 'solar' ? { up: minus, down: plus } : { up: plus, down: minus };
}

/** The size of a value with its unit. */
export function sizeText(value: number, unit: string): string {
  if (unit === 'W') return power(value);
  if (unit === 'Wh') return energy(value);
  if (unit === '%') return percent(value);
  return `${number(value, unit === 'Hz' ? 3 : 1)} ${unit}`;
}

/** The fields of a group as lines; a share is dashed, for it has an axis of its own. */
export function derSeries({ points }: DerHistory, type: DerTypeId, group: Group): ChartSeries[] {
  const fields = fieldsIn(group, new Set(points.flatMap((point) => Object.keys(point))));
  const sides = derSides(type);
  return fields.map((field, place): ChartSeries => {
    const unit = unitOf(field);
    const sign = signOf(type, field);
    const withDirection = (value: number): string => {
      const size = sizeText(Math.abs(value), unit);
      return value === 0 ? size : `${size}, ${value > 0 ? sides.up : sides.down}`;
    };
    const isShare = unit === '%';
    const colour = place === 0 ? typeColours[type] : others[(place - 1) % others.length]!;
    return {
      name: fieldName(field),
      unit,
      kind: 'line',
      dashed: isShare,
      colour: isShare ? 'ink-soft' : colour,
      values: points.map(({ [field]: value }) => value && (unit === 'A' ? Math.abs(value) : value * sign)),
      ...(isDirected(field) && { format: withDirection }),
    };
  });
}

/** The groups that have something to show. */
export const groupsOf = ({ points }: DerHistory, among: readonly Group[]): Group[] => {
  const fields = new Set(points.flatMap((point) => Object.keys(point)));
  return among.filter((group) => fieldsIn(group, fields).length > 0);
};
