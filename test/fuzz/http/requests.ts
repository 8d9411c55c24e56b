import type { Operation, Parameter } from '#contract/openapi/document.ts';
import { damage, type Random } from '#gateway/p1/testing/fuzz-damage.ts';
import { hostileBodies, hostilePieces, hostileTexts, oddHeader, oddMethods, oddTypes, wrongValues } from './hostile.ts';
import type { FuzzRequest, FuzzService } from './service.ts';
import { createValues, type Values } from './values.ts';

type Template = { method: string; path: string; operation: Operation };

type Kind = 'valid' | 'almost' | 'hostile';

const kinds: readonly Kind[] = ['valid', 'valid', 'almost', 'almost', 'almost', 'hostile'];

/** Requests to a service, generated from its document: valid, with one thing wrong, and hostile. */
export function createRequests(service: FuzzService, random: Random): () => FuzzRequest {
  const { document, known } = service;
  const values = createValues(document.components.schemas, known, random);
  const { pick, oneIn } = values;
  const templates = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Template => ({ method: method.toUpperCase(), path, operation })),
  );

  return () => {
    const callers = Object.keys(service.credentials());
    const template = pick(templates);
    const kind = pick(kinds);
    const wrong = kind === 'valid' ? undefined : pick(['path', 'query', 'body', 'body', 'body', 'headers', 'method']);
    const isHostile = kind === 'hostile';
    const spoils = (part: string): boolean => isHostile || wrong === part;

    const path = pathOf(template, values, spoils('path') && (wrong === 'path' || oneIn(3)));
    const query = queryOf(template, values, spoils('query'));
    const body = bodyOf(template, values, random, spoils('body') ? (isHostile ? 'hostile' : 'almost') : 'valid');
    const method = wrong === 'method' ? pick(oddMethods) : template.method;
    return {
      operation: path.isOdd || method !== template.method ? undefined : `${template.method} ${template.path}`,
      as: oneIn(2) ? callers[0]! : pick(callers),
      method,
      url: asciiOf(path.text + query),
      headers: {
        ...(body && { 'content-type': wrong === 'headers' && oneIn(2) ? pick(oddTypes) : body.type }),
        ...(oneIn(10) && { 'idempotency-key': `key-${random.below(50)}` }),
        ...(spoils('headers') && oddHeader(random)),
      },
      body: body?.bytes,
    };
  };
}

/** Parts of an address, with everything escaped that must be. */
const asciiOf = (url: string): string =>
  url.replace(/[^\x21-\x7e]/gu, (char) => encodeURIComponent(char.toWellFormed()));

function pathOf({ path, operation }: Template, values: Values, isSpoilt: boolean): { text: string; isOdd: boolean } {
  const { valid, pick, oneIn } = values;
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'path');
  const spoilt = isSpoilt ? pick(parameters) : undefined;
  const text = parameters.reduce(
    (filled, parameter) =>
      filled.replace(`{${parameter.name}}`, () =>
        parameter === spoilt ? pick(hostilePieces) : escaped(valid(parameter.schema, parameter.name)),
      ),
    path,
  );
  if (!isSpoilt) return { text, isOdd: false };
  return oneIn(4)
    ? { text: pick([`${text}/`, `/${text}`, `${text}/..`, text.toUpperCase(), `${text}%2f`]), isOdd: true }
    : { text, isOdd: spoilt !== undefined };
}

function queryOf({ operation }: Template, values: Values, isSpoilt: boolean): string {
  const { valid, pick, oneIn } = values;
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  const said = parameters
    .filter(({ required }) => required || oneIn(2))
    .map((parameter): [Parameter, string] => [parameter, escaped(valid(parameter.schema, parameter.name))]);
  const parts = said.map(([{ name }, value]) => `${name}=${value}`);
  if (isSpoilt) {
    const name = parameters.length > 0 && !oneIn(4) ? pick(parameters).name : pick(['x', '__proto__', 'limit', 'a[b]']);
    parts.push(`${name}=${oneIn(2) ? pick(hostilePieces) : escaped(pick(hostileTexts))}`);
    if (oneIn(6)) parts.shift();
    if (oneIn(6)) parts.push(...parts);
  }
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

const escaped = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return encodeURIComponent(text.toWellFormed());
};

type Body = { type: string; bytes: Buffer };

function bodyOf({ operation }: Template, values: Values, random: Random, kind: Kind): Body | undefined {
  const { valid, pick, oneIn } = values;
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? ['application/json', undefined];
  if (!content) return kind === 'hostile' ? { type, bytes: pick(hostileBodies) } : undefined;
  if (kind === 'hostile' && oneIn(3)) return { type, bytes: pick(hostileBodies) };
  const value = valid(content.schema);
  const said = kind === 'valid' ? value : spoil(value, values);
  const bytes = Buffer.from(type === 'application/json' ? JSON.stringify(said) : formOf(said));
  return { type, bytes: kind === 'hostile' && oneIn(2) ? damage(bytes, random) : bytes };
}

const formOf = (value: unknown): string =>
  Object.entries(value ?? {})
    .map(([name, part]) => `${encodeURIComponent(name.toWellFormed())}=${escaped(part)}`)
    .join('&');

type Place = { holder: Record<string, unknown>; key: string };

/** One field is omitted, replaced, or added. */
function spoil(given: unknown, { pick, oneIn }: Values): unknown {
  const value = structuredClone(given);
  const places: Place[] = [];
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, inner] of Object.entries(part)) {
      places.push({ holder: part as Record<string, unknown>, key });
      visit(inner);
    }
  };
  visit(value);
  if (places.length === 0 || oneIn(12)) return pick(wrongValues);
  const { holder, key } = pick(places);
  if (oneIn(4)) delete holder[key];
  else if (oneIn(6)) holder[pick(['x', 'id', 'org_id', 'state', 'created_at', 'toString'])] = pick(wrongValues);
  else holder[key] = pick(wrongValues);
  return value;
}
