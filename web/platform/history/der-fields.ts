import type { DerTypeId } from '#contract/der.ts';
import { telemetryFields } from '#contract/telemetry.ts';

/** The fields of a DER in charts that belong together. */
export const groups = ['power', 'phases', 'voltage', 'current', 'temperature', 'frequency', 'counters'] as const;
export type Group = (typeof groups)[number];

const shares = /_fract$/;

const members: Record<Group, RegExp> = {
  power: /^(W|ac_W|dc_W|unit1_W|\w+_fract)$/,
  phases: /^L[123]_W$/,
  voltage: /(^|_)V$/,
  current: /(^|_)A$/,
  temperature: /_C$/,
  frequency: /^Hz$/,
  counters: /^(total|session)_\w+_Wh$/,
};

const units = new Map(telemetryFields.map(({ name, unit }) => [name, unit]));

/** A share has no unit of its own; it is told in percent. */
export const unitOf = (field: string): string => (shares.test(field) ? '%' : (units.get(field) ?? ''));

/** Which of the fields are in a group, in the order of the contract. */
export const fieldsIn = (group: Group, fields: ReadonlySet<string>): string[] =>
  telemetryFields.flatMap(({ name }) => (fields.has(name) && members[group].test(name) ? [name] : []));

const directed = /^((L[123]|ac|dc)_)?W$/;

/** Whether the sign of a field tells a direction; not every device tells which way a current flows. */
export const isDirected = (field: string): boolean => directed.test(field);

/** Generation is shown upwards; all else as it is: what is taken above zero, what is given below. */
export const signOf = (type: DerTypeId, field: string): 1 | -1 => (type === 'solar' && isDirected(field) ? -1 : 1);
