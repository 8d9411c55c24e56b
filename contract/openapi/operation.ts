import { type Access, can, type IdentityType, identityTypes, type RequiredRight, roles } from '../access.ts';
import type { Route } from '../route.ts';
import { paramsOf } from '../route.ts';
import { type TObject, type TSchema, Type } from '../schema.ts';
import type { Operation, Parameter, Response, Schema, SchemaRegistry } from './document.ts';
import { type ErrorFormat, problemResponses, replyHeaders, requestHeaders } from './responses.ts';

const formType = 'application/x-www-form-urlencoded';

export function operation(route: Route, schemas: SchemaRegistry, errors: ErrorFormat): Operation {
  const { access, body } = route;
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...describe(route),
    'x-access': describeAccess(access),
    ...(route.scope && { 'x-oauth-scope': route.scope }),
    ...(access === 'internal' && { 'x-internal': true }),
    security: securityOf(access),
    parameters: [
      ...parameters('path', paramsOf(route), schemas),
      ...parameters('query', route.query ?? Type.Object({}), schemas),
      ...requestHeaders(route),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: { [route.form ? formType : 'application/json']: bodyContent(schemas.add(body, 'closed'), schemas) },
      },
    }),
    responses: mergeResponses(
      replies(route, schemas),
      problemResponses(route, schemas, route.oauthErrors ? 'oauth' : errors),
    ),
  };
}

/** Returns the description, extended with the rules for a PUT of a resource. */
function describe({ method, resource, description }: Route): Pick<Operation, 'description'> {
  const writeBack = 'Read-only fields of the GET may be sent back unchanged; null clears an optional field.';
  const sentences = [description, method === 'PUT' && resource && writeBack].filter(Boolean);
  return sentences.length > 0 ? { description: sentences.join(' ') } : {};
}

/** Merges the content of a status that is both a reply and a problem. */
function mergeResponses(
  replies: Record<string, Response>,
  problems: Record<string, Response>,
): Record<string, Response> {
  const both = Object.entries(problems).map(([status, problem]): [string, Response] => {
    const content = { ...replies[status]?.content, ...problem.content };
    return [status, { ...problem, content }];
  });
  return { ...replies, ...Object.fromEntries(both) };
}

function securityOf(access: Route['access']): Operation['security'] {
  if (access === 'public' || access === 'local') return [];
  if (access === 'guarded') return [{}, { local: [] }];
  return [{ [access === 'internal' ? 'internal' : 'bearer']: [] }];
}

const bodyContent = (schema: Schema, { components }: SchemaRegistry) => ({
  schema,
  example: exampleOf(schema, components),
});

/** For example getOrganizationsByOrgIdMembers for GET /organizations/{org_id}/members. */
function operationId({ method, path }: Route): string {
  const words = path.replaceAll('{', 'by_').match(/[A-Za-z0-9]+/g) ?? ['root'];
  return method.toLowerCase() + words.map((word) => word.replace(/^./, (letter) => letter.toUpperCase())).join('');
}

function parameters(place: 'path' | 'query', object: TObject, schemas: SchemaRegistry): Parameter[] {
  const required: readonly string[] = object.required ?? []; // absent without required fields
  return Object.entries(object.properties).map(([name, property]) => {
    const { description, ...schema } = schemas.add(property, 'closed');
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description && { description }),
      schema,
    };
  });
}

const successTitles: Record<number, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  204: 'Success, no body',
  303: 'Redirect to the address in Location',
  207: 'Partial success; each part has its own status',
};

const mediaTypeOf = ({ contentType = 'application/json' }: Route): string => contentType.replace(/;.*/, '');

function replies(route: Route, schemas: SchemaRegistry): Record<string, Response> {
  const headers = replyHeaders(route);
  const others = (route.otherTypes ?? []).map((type) => [type, { schema: { type: 'string' } }]);
  const content = (status: string, schema: TSchema) => ({
    [mediaTypeOf(route)]: { schema: schemas.add(schema, 'open') },
    ...(Number(status) < 300 && Object.fromEntries(others)),
  });
  const described = Object.entries(route.replies).map(([status, schema]): [string, Response] => [
    status,
    {
      description: successTitles[Number(status)] ?? 'Success',
      headers,
      ...(schema && { content: content(status, schema) }),
    },
  ]);
  if (route.conditional)
    described.push(['304', { description: 'Not modified since the ETag in If-None-Match', headers }]);
  return Object.fromEntries(described);
}

export function describeAccess(access: Access): string {
  if (access === 'public') return 'Everyone.';
  if (access === 'internal') return 'A broker or peer with the internal secret.';
  if (access === 'local') return "Everyone on the gateway's network.";
  if (access === 'guarded') return "Everyone on the gateway's network; with the local token if LOCAL_API=guarded.";
  const needs = access.needs.map(describeRight).join(', and ');
  return `${describeCaller(access.identity)}${needs && `, ${needs}`}.`;
}

const isForEveryIdentity = (identity: readonly IdentityType[]): boolean =>
  identityTypes.every((type) => identity.includes(type));

function describeCaller(identity: readonly IdentityType[]): string {
  return isForEveryIdentity(identity) ? 'Anyone signed in' : `Anyone signed in as ${listing(identity)}`;
}

function describeRight({ right, on, from, filter, orSelf }: RequiredRight): string {
  const holders = listing(roles.filter((role) => can(role, right)));
  const need = `with the right to ${right} the ${on} in \`${from}\` (${holders})`;
  const exception = orSelf ? `, or to read it when \`${orSelf}\` is the caller` : '';
  return `${need}${exception}${filter ? `, when \`${from}\` is given (without this right the list is empty)` : ''}`;
}

const listing = (words: readonly string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' or $1');

/** Returns a minimal example of a schema; references are resolved from the components. */
export function exampleOf(schema: Schema, components: Record<string, Schema>): unknown {
  if (schema.$ref) return exampleOf(components[schema.$ref.split('/').at(-1)!]!, components);
  if (schema.examples) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const alternative = (schema.anyOf ?? schema.oneOf)?.[0];
  if (alternative) return exampleOf(alternative, components);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, components)));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return exampleObject(schema, components);
    case 'array':
      return schema.items ? [exampleOf(schema.items, components)] : [];
    case 'string':
      return schema.format === 'date-time' ? '2026-01-01T00:00:00Z' : exampleText(schema);
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

const exampleText = ({ pattern = '' }: Schema): string =>
  ['…', '...', 'name'].find((text) => new RegExp(pattern).test(text)) ?? '…';

/** Fills the required fields, or the first field if none is required. */
function exampleObject({ properties = {}, required = [] }: Schema, components: Record<string, Schema>): object {
  const fields = Object.entries(properties);
  const needed = required.length > 0 ? fields.filter(([name]) => required.includes(name)) : fields.slice(0, 1);
  return Object.fromEntries(needed.map(([name, property]) => [name, exampleOf(property, components)]));
}
