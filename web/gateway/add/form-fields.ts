import { type ConnectionType, connectionTypes, type Parameter } from '#contract/gateway/connections.ts';
import type { listConnectionTypes } from '#contract/gateway/devices.ts';
import type { ReplyOf } from '#contract/route.ts';

export type OfferedType = ReplyOf<typeof listConnectionTypes>['connection_types'][number];

/** A parameter as a form shows it: what the gateway told, and of the table what it did not tell. */
export type FormField = OfferedType['parameters'][number] & Pick<Parameter, 'oneOf' | 'isSecret'>;

export const fieldsOf = ({ type, parameters }: OfferedType): FormField[] =>
  parameters.map((parameter) => {
    const { oneOf, isSecret } = knownParameter(type, parameter.name) ?? {};
    return { ...parameter, ...(oneOf && { oneOf }), ...(isSecret && { isSecret }) };
  });

function knownParameter(type: string, name: string): Parameter | undefined {
  const known: readonly Parameter[] = Object.hasOwn(connectionTypes, type)
    ? connectionTypes[type as ConnectionType].parameters
    : [];
  return known.find((parameter) => parameter.name === name);
}

/** What is typed as what the gateway expects; a field that was left empty is left to the gateway. */
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
  // What is no number is sent as it is, so that the gateway says what is wrong with it.
  return type === 'string' || Number.isNaN(Number(text)) ? text : Number(text);
}
