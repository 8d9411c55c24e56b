import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import type { FieldError } from '#contract/problem.ts';

/** Refuse names them; ignore lets them pass, for clients that send more than we know. */
export type UnknownFields = 'refuse' | 'ignore';

const options = { allErrors: true, verbose: true, strict: false, validateFormats: false, useDefaults: true } as const;
const exact = new Ajv(options);
const fromText = new Ajv({ ...options, coerceTypes: true });

type Validator = { (value: unknown): boolean; errors?: ErrorObject[] | null };

/** Compiles when the first value comes: most routes wait for long, and a start for all of them would. */
export function validator(schema: TSchema, part: string, unknownFields: UnknownFields): Validator {
  let compiled: ValidateFunction | undefined;
  const validate: Validator = (value) => {
    compiled ??= compile(schema, part, unknownFields);
    const isValid = compiled(value);
    validate.errors = compiled.errors ?? null;
    return isValid;
  };
  return validate;
}

/** Bodies are taken as they are typed; params and queries arrive as text. */
function compile(schema: TSchema, part: string, unknownFields: UnknownFields): ValidateFunction {
  const closed = unknownFields === 'refuse' ? closeObjects(schema) : schema;
  return (part === 'body' ? exact : fromText).compile(closed as object);
}

/** The schema with every object that lists its properties closed to others. */
export function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closeObjects(value)]));
  return 'properties' in closed && !('additionalProperties' in closed)
    ? { ...closed, additionalProperties: false }
    : closed;
}

const mostErrors = 20;

/** What ajv found, in words and with the path a caller would use: body.ders.0.type. */
export function fieldErrors(part: string, errors: readonly ErrorObject[]): FieldError[] {
  const seen = new Set<string>();
  const described: FieldError[] = [];
  for (const error of errors) {
    const field = describe(part, error);
    if (seen.has(field.path) || described.length === mostErrors) continue;
    seen.add(field.path);
    described.push(field);
  }
  return described;
}

function describe(part: string, error: ErrorObject): FieldError {
  const path = [part, ...error.instancePath.split('/').slice(1)].join('.');
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return { path: `${path}.${params.missingProperty}`, message: 'is required' };
    case 'additionalProperties':
      return { path: `${path}.${params.additionalProperty}`, message: 'is not a known field' };
    case 'enum':
      return { path, message: `must be one of ${params.allowedValues.join(', ')}` };
    case 'pattern':
      return { path, message: `must be ${error.parentSchema?.description ?? 'text without control characters'}` };
    default:
      return { path, message: error.message ?? 'is not valid' };
  }
}
