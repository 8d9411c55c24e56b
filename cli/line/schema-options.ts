import type { TObject } from 'typebox';
import type { Option } from './command.ts';
import { UsageError } from './usage-error.ts';

type Property = {
  type: string | readonly string[];
  description?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
};

type Fields = Readonly<Record<string, Property>>;

const optionName = (field: string): string => field.replaceAll('_', '-');

const isNumber = ({ type }: Property): boolean => type === 'number' || type.includes('number');

/** An option for every field; the others are for the command to fill in. */
export function schemaOptions({ properties }: TObject, others: readonly string[] = []): object {
  const fields = Object.entries(properties as unknown as Fields).filter(([field]) => !others.includes(field));
  return Object.fromEntries(
    fields.map(([field, property]): [string, Option] => [
      optionName(field),
      { value: valueWord(property), says: wordsOf(field, property) },
    ]),
  );
}

const valueWord = (property: Property): string => (isNumber(property) ? 'NUMBER' : 'TEXT');

function wordsOf(field: string, property: Property): string {
  const { description, minimum, exclusiveMinimum, maximum } = property;
  if (description) return description;
  const name = field.replaceAll('_', ' ');
  return isNumber(property) ? `${name}, from ${minimum ?? exclusiveMinimum} to ${maximum}` : name;
}

/** The fields that were given as options. What the values may be is for the platform to say. */
export function givenFields(
  { properties }: TObject,
  options: Readonly<Record<string, string | boolean | undefined>>,
  commandName: string,
): Record<string, string | number> {
  const given: Record<string, string | number> = {};
  for (const [field, property] of Object.entries(properties as unknown as Fields)) {
    const text = options[optionName(field)];
    if (typeof text !== 'string') continue;
    given[field] = isNumber(property) ? numberOf(text, optionName(field), commandName) : text;
  }
  return given;
}

function numberOf(text: string, option: string, commandName: string): number {
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new UsageError(`--${option} is a number, and "${text}" is none.`, commandName);
}
