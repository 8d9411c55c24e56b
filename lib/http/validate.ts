import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import type { FieldError } from '#contract/problem.ts';

/** Refuse names them; ignore lets them pass, for clients that send more than we know. */
export type UnknownFields = 'refuse' | 'ignore';

// Schemas are our own, and tests hold them against JSON Schema: to do so here is most of what a first request would wait for.
const options = {
  allErrors: true,
  verbose: true,
  strict: false,
  validateFormats: false,
  useDefaults: true,
  meta: false,
  validateSchema: false,
} as const;
const exact = new Ajv(options);
const firstOnly = new Ajv({ ...options, allErrors: false });
const fromText = new Ajv({ ...options, coerceTypes: true });

const mostParts = 20_000; // of more only the first mistake is told: a million would take all memory

type Validator = { (value: unknown): boolean; errors?: ErrorObject[] | null };

/**
 * Compiles when the first value comes: most routes wait for long, and a start for all of them would.
 * Bodies are taken as they are typed; params and queries arrive as text.
 */
export function validator(schema: TSchema, part: string, unknownFields: UnknownFields): Validator {
  const compiled = new Map<Ajv, ValidateFunction>();
  const validate: Validator = (value) => {
    const ajv = part !== 'body' ? fromText : hasMoreParts(value, mostParts) ? firstOnly : exact;
    const check = compiled.get(ajv) ?? compile(ajv, schema, unknownFields);
    compiled.set(ajv, check);
    const isValid = check(value);
    validate.errors = check.errors ?? null;
    return isValid;
  };
  return validate;
}

const closedSchemas = new WeakMap<TSchema, object>(); // ajv knows a schema again that it has compiled, but no copy of it

function compile(ajv: Ajv, schema: TSchema, unknownFields: UnknownFields): ValidateFunction {
  if (unknownFields === 'ignore') return ajv.compile(schema);
  const closed = closedSchemas.get(schema) ?? (closeObjects(schema) as object);
  closedSchemas.set(schema, closed);
  return ajv.compile(closed);
}

function hasMoreParts(value: unknown, most: number): boolean {
  const parts = [value];
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue;
    for (const inner of Object.values(part)) if (parts.push(inner) > most) return true;
  }
  return false;
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
const longestPath = 200;

/** What ajv found, in words and with the path a caller would use: body.ders.0.type. */
export function fieldErrors(part: string, errors: readonly ErrorObject[]): FieldError[] {
  const seen = new Set<string>();
  const described: FieldError[] = [];
  for (const error of errors) {
    if (described.length === mostErrors) break;
    const { path, message } = describe(part, error);
    if (seen.has(path)) continue;
    seen.add(path);
    described.push({ path: path.length > longestPath ? `${path.slice(0, longestPath)}…` : path, message });
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
