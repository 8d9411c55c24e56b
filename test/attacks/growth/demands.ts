import type { Route } from '#contract/route.ts';

export const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

/** Query parameters by what their value can multiply. One that is new has to be put in its place here. */
const rangeParameters = ['from', 'to', 'date', 'days', 'hours', 'before', 'after', 'fromIncluding', 'toExcluding'];
const listParameters = ['fields', 'limit'];
// biome-ignore format: a row of words
const singleParameters = [
  'cursor', 'resolution', 'format', 'org_id', 'cascade', 'ticket', 'month', 'token', 'request', 'currency', 'area', 'lat', 'lon', 'tariff_id',
  'markup', 'vat', 'timestamp', 'fuse_size', 'fuse_a', 'language', 'type', 'size', 'endianness', 'scale_factor', 'function_code',
  'response_type', 'client_id', 'redirect_uri', 'scope', 'state', 'nonce', 'code_challenge', 'code_challenge_method',
];
const knownParameters = [...rangeParameters, ...listParameters, ...singleParameters];

const smallList = 16; // entries; a body of so many is measured with all other bodies

type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  maxItems?: number;
  allOf?: Schema[];
  anyOf?: Schema[];
};

const queryNames = ({ query }: Route): string[] => Object.keys((query as Schema | undefined)?.properties ?? {});

export const unknownParameters = (route: Route): string[] =>
  queryNames(route).filter((name) => !knownParameters.includes(name));

/** Parts of a route whose size somebody else chooses, beyond the bytes of its body. */
export function demandsOf(route: Route): string[] {
  const names = queryNames(route);
  const demands = [
    names.some((name) => rangeParameters.includes(name)) && 'a range',
    names.some((name) => listParameters.includes(name)) && 'a list in the query',
    route.body && hasMany(route.body) && 'a list or map in the body',
    Object.values(route.replies).some((reply) => reply && hasMany(reply)) && 'a list or map in the answer',
    route.contentType === 'text/event-stream' && 'a stream',
    route.method === 'DELETE' && 'everything that belongs to what is deleted',
  ];
  return demands.filter((demand) => typeof demand === 'string');
}

/** Whether a value of this form may have any number of entries. */
function hasMany(schema: object): boolean {
  const { properties = {}, patternProperties, additionalProperties, items, maxItems, allOf, anyOf } = schema as Schema;
  if (patternProperties || additionalProperties) return true;
  if (items) return maxItems === undefined || maxItems > smallList || hasMany(items);
  return [...Object.values(properties), ...(allOf ?? []), ...(anyOf ?? [])].some(hasMany);
}
