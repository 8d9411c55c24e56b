import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';
import type { FieldError } from '#contract/problem.ts';

/** How unknown fields are handled: refused by name, or ignored for clients that send more than the schema. */
export type UnknownFields = 'refuse' | 'ignore';

// Schemas are our own, and tests validate them against JSON Schema; doing so here would take most of a first request.
const options = {
  allErrors: true,
  verbose: true,
  strict: false,
  validateFormats: false,
  useDefaults: true,
  meta: false,
  validateSchema: false,
  code: { optimize: false }, // compiling takes a third less time, and validating as long
} as const;
const exact = new Ajv(options);
const firstOnly = new Ajv({ ...options, allErrors: false });
const fromText = new Ajv({ ...options, coerceTypes: true });

const maxParts = 20_000; // for larger bodies only the first error is reported: a million errors would exhaust the memory

type Validator<Value> = { (value: unknown): value is Value; errors?: ErrorObject[] | null };

/** Compiles the schema at the first value, not at the start. Params and queries are text, so they are converted. */
export function validator<Schema extends TSchema>(
  schema: Schema,
  part: string,
  unknownFields: UnknownFields,
): Validator<Static<Schema>> {
  const compiled = new Map<Ajv, ValidateFunction>();
  const validate: Validator<Static<Schema>> = (value): value is Static<Schema> => {
    const ajv = part !== 'body' ? fromText : hasMoreParts(value, maxParts) ? firstOnly : exact;
    const check = compiled.get(ajv) ?? compile(ajv, schema, unknownFields);
    compiled.set(ajv, check);
    const isValid = check(value);
    validate.errors = check.errors ?? null;
    return isValid;
  };
  return validate;
}

const closedSchemas = new WeakMap<TSchema, object>(); // ajv recognizes a compiled schema, but not a copy of it

function compile(ajv: Ajv, schema: TSchema, unknownFields: UnknownFields): ValidateFunction {
  if (unknownFields === 'ignore') return ajv.compile(schema);
  const closed = closedSchemas.get(schema) ?? Object(closeObjects(schema));
  closedSchemas.set(schema, closed);
  return ajv.compile(closed);
}

function hasMoreParts(value: unknown, max: number): boolean {
  const parts = [value];
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue;
    for (const inner of Object.values(part)) if (parts.push(inner) > max) return true;
  }
  return false;
}

/** Adds `additionalProperties: false` to every object of a schema that lists its properties. */
export function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closeObjects(value)]));
  return 'properties' in closed && !('additionalProperties' in closed)
    ? { ...closed, additionalProperties: false }
    : closed;
}

const maxErrors = 20;
const maxPathCharacters = 200;

/** An error of ajv as Fastify passes it on. */
type SchemaError = Pick<ErrorObject, 'keyword' | 'instancePath' | 'params'> &
  Partial<Pick<ErrorObject, 'message' | 'parentSchema'>>;

/** Describes the errors of ajv, with paths such as body.ders.0.type. */
export function fieldErrors(part: string, errors: readonly SchemaError[]): FieldError[] {
  const seen = new Set<string>();
  const described: FieldError[] = [];
  for (const error of errors) {
    if (described.length === maxErrors) break;
    const { path, message } = describe(part, error);
    if (seen.has(path)) continue;
    seen.add(path);
    described.push({ path: path.length > maxPathCharacters ? `${path.slice(0, maxPathCharacters)}…` : path, message });
  }
  return described;
}

function describe(part: string, error: SchemaError): FieldError {
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
