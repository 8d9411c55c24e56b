import type { TObject, TProperties, TSchema } from 'typebox';
import type { Route } from '../route.ts';
import { paramsOf } from '../route-params.ts';
import { Type } from '../schema.ts';
import { accessInWords } from './access-words.ts';
import type { Operation, Parameter, Response, Schema } from './document.ts';
import { exampleOf } from './example.ts';
import { replyHeaders, requestHeaders } from './headers.ts';
import { type ErrorForm, problemResponses } from './problems.ts';
import type { Schemas } from './schemas.ts';

const formType = 'application/x-www-form-urlencoded';

export function operation(route: Route, schemas: Schemas, errors: ErrorForm): Operation {
  const { access, body } = route;
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...describe(route),
    'x-access': accessInWords(access),
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
        content: { [route.form ? formType : 'application/json']: bodyContent(schemas.place(body, 'closed'), schemas) },
      },
    }),
    responses: joined(replies(route, schemas), problemResponses(route, schemas, route.oauthErrors ? 'oauth' : errors)),
  };
}

/** The description, with what every PUT of a resource takes. */
function describe({ method, resource, description }: Route): Pick<Operation, 'description'> {
  const writeBack = 'The read-only fields of the GET may be sent along, unchanged; null clears an optional field.';
  const sentences = [description, method === 'PUT' && resource && writeBack].filter(Boolean);
  return sentences.length > 0 ? { description: sentences.join(' ') } : {};
}

/** A status that is both a reply of its own and a problem comes as either. */
function joined(replies: Record<string, Response>, problems: Record<string, Response>): Record<string, Response> {
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

const bodyContent = (schema: Schema, { components }: Schemas) => ({ schema, example: exampleOf(schema, components) });

/** getOrganizationsByOrgIdMembers for GET /organizations/{org_id}/members. */
function operationId({ method, path }: Route): string {
  const words = path.replaceAll('{', 'by_').match(/[A-Za-z0-9]+/g) ?? ['root'];
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

function parameters(place: 'path' | 'query', object: TObject, schemas: Schemas): Parameter[] {
  const { properties, required = [] } = object as { properties: TProperties; required?: string[] };
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = schemas.place(property, 'closed');
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
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done, without a body',
  303: 'The browser goes on at the address in Location',
  207: 'Done in part; each part tells its own status',
};

const mediaTypeOf = ({ contentType = 'application/json' }: Route): string => contentType.split(';')[0]!;

function replies(route: Route, schemas: Schemas): Record<string, Response> {
  const headers = replyHeaders(route);
  const others = (route.otherTypes ?? []).map((type) => [type, { schema: { type: 'string' } }]);
  const content = (status: string, schema: TSchema) => ({
    [mediaTypeOf(route)]: { schema: schemas.place(schema, 'open') },
    ...(Number(status) < 300 && Object.fromEntries(others)),
  });
  const described = Object.entries(route.replies).map(([status, schema]): [string, Response] => [
    status,
    {
      description: successTitles[Number(status)] ?? 'Done',
      headers,
      ...(schema && { content: content(status, schema) }),
    },
  ]);
  if (route.conditional)
    described.push(['304', { description: 'The state named by If-None-Match still holds', headers }]);
  return Object.fromEntries(described);
}
