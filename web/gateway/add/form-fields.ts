import { connectionTypeNames, connectionTypes, type Parameter } from '#contract/gateway/connections.ts';
import type { listConnectionTypes } from '#contract/gateway/devices.ts';
import type { ReplyOf } from '#contract/route.ts';

export type OfferedType = ReplyOf<typeof listConnectionTypes>['connection_types'][number];

/** A parameter that the gateway offers, with choices and secrecy from the table of connection types. */
export type FormField = OfferedType['parameters'][number] & Pick<Parameter, 'oneOf' | 'isSecret'>;

export const fieldsOf = ({ type, parameters }: OfferedType): FormField[] =>
  parameters.map((parameter) => {
    const { oneOf, isSecret } = knownParameter(type, parameter.name) ?? {};
    return { ...parameter, ...(oneOf && { oneOf }), ...(isSecret && { isSecret }) };
  });

function knownParameter(type: string, name: string): Parameter | undefined {
  const known = connectionTypeNames.find((each) => each === type);
  const parameters: readonly Parameter[] = known ? connectionTypes[known].parameters : [];
  return parameters.find((parameter) => parameter.name === name);
}

/** Converts the entered texts to the values that the gateway expects; empty fields are left out. */
export function parametersOf(
  fields: readonly FormField[],
  typed: Readonly<Record<string, string>>,
): Record<string, string | number> {
  const given = fields.flatMap((field): [string, string | number][] => {
    const text = typed[field.name]?.trim() ?? '';
    return text === '' ? [] : [[field.name, typedValue(field, text)]];
  });
  return Object.fromEntries(given);
}

function typedValue({ type, oneOf }: FormField, text: string): string | number {
  const choice = oneOf?.find((value) => String(value) === text);
  if (choice !== undefined) return choice;
  // Text instead of a number is sent as it is, so that the gateway explains the mistake.
  return type === 'string' || Number.isNaN(Number(text)) ? text : Number(text);
}
