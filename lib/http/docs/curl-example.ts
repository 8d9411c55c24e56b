import type { Operation } from '#contract/openapi/document.ts';

/** A request for a shell; $API is the address of the service, and ids are variables too. */
export function curlExample(method: string, path: string, operation: Operation): string {
  const { parameters, requestBody, security } = operation;
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const search = query.map(({ name }) => `${name}=${variable(name)}`).join('&');
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => variable(name));
  const body = requestBody?.content['application/json'];
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"$API${address}${search && `?${search}`}"`,
    security.length > 0 && `-H "Authorization: Bearer ${operation['x-internal'] ? '$SECRET' : '$TOKEN'}"`,
    parameters.some(({ name }) => name === 'Idempotency-Key') && '-H "Idempotency-Key: $(uuidgen)"',
    body && "-H 'Content-Type: application/json'",
    body && `-d ${quoted(JSON.stringify(body.example, null, 2).replaceAll('\n', '\n  '))}`,
  ]
    .filter((line) => typeof line === 'string')
    .join(' \\\n  ');
}

const variable = (name: string): string => `$${name.toUpperCase()}`;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
