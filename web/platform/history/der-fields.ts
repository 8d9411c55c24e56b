import type { DerTypeId } from '#contract/der.ts';
import { telemetryFields } from '#contract/telemetry.ts';

/** Groups of DER fields that share a chart. */
export const groups = ['power', 'phases', 'voltage', 'current', 'temperature', 'frequency', 'counters'] as const;
export type Group = (typeof groups)[number];

const fractionField = /_fract$/;

const groupFields: Record<Group, RegExp> = {
  power: /^(W|ac_W|dc_W|unit1_W|\w+_fract)$/,
  phases: /^L[123]_W$/,
  voltage: /(^|_)V$/,
  current: /(^|_)A$/,
  temperature: /_C$/,
  frequency: /^Hz$/,
  counters: /^(total|session)_\w+_Wh$/,
};

const units = new Map(telemetryFields.map(({ name, unit }) => [name, unit]));

/** Returns the unit of a field; fractions are shown in percent. */
export const unitOf = (field: string): string => (fractionField.test(field) ? '%' : (units.get(field) ?? ''));

/** Returns the fields of a group that are present, in the order of the contract. */
export const fieldsIn = (group: Group, fields: ReadonlySet<string>): string[] =>
  telemetryFields.flatMap(({ name }) => (fields.has(name) && groupFields[group].test(name) ? [name] : []));

const directedField = /^((L[123]|ac|dc)_)?W$/;

/** Whether the sign of a field is a direction. Not every device reports the direction of a current. */
export const isDirected = (field: string): boolean => directedField.test(field);

/** Returns -1 for fields that are drawn inverted: generation is drawn upwards. */
export const signOf = (type: DerTypeId, field: string): 1 | -1 => (type === 'solar' && isDirected(field) ? -1 : 1);
