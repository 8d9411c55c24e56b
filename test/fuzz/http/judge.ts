import { Ajv, type ValidateFunction } from 'ajv';
import type { Content, Response, Schema } from '#contract/openapi/document.ts';
import type { OpenApiDocument } from '#contract/openapi.ts';
import type { FuzzAnswer, FuzzRequest } from './service.ts';

/** Returns what is wrong with an answer; undefined when it matches the document. */
export type Judge = (request: FuzzRequest, answer: FuzzAnswer) => string | undefined;

/** Error bodies, by content type and schema title. */
const mistakes: readonly [type: string, title: string][] = [
  ['application/problem+json', 'Problem'],
  ['application/json', 'Error'],
  ['application/json', 'OAuthError'],
];

export function createJudge({ paths, components }: OpenApiDocument): Judge {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false });
  const compiled = new Map<Schema, ValidateFunction>();
  const forms = mistakes
    .filter(([, title]) => components.schemas[title])
    .map(([type, title]) => ({ type, schema: { $ref: `#/components/schemas/${title}` } }));

  function fits(schema: Schema, value: unknown): string | undefined {
    let validate = compiled.get(schema);
    if (!validate) {
      validate = ajv.compile({ components, allOf: [schema] });
      compiled.set(schema, validate);
    }
    return validate(value) ? undefined : ajv.errorsText(validate.errors).slice(0, 200);
  }

  function faultOfContent(content: Content | undefined, { headers, body }: FuzzAnswer): string | undefined {
    const type = essenceOf(headers['content-type']);
    if (!content) return body === '' ? undefined : `a body as ${type} where none is declared`;
    const declared = Object.entries(content).find(([key]) => essenceOf(key) === type)?.[1];
    if (!declared) return `content type ${type || 'none'}, declared are ${Object.keys(content).join(', ')}`;
    if (!type.endsWith('json')) return undefined;
    return fits(declared.schema, JSON.parse(body));
  }

  /** An error that every route may return: about the address, the method, the body or the host. */
  function faultOfMistake(answer: FuzzAnswer): string | undefined {
    const type = essenceOf(answer.headers['content-type']);
    const own = forms.filter((form) => form.type === type);
    if (own.length === 0) return `an error as ${type || 'nothing'}`;
    const body: unknown = JSON.parse(answer.body);
    const faults = own.map(({ schema }) => fits(schema, body));
    return faults.includes(undefined) ? undefined : faults[0];
  }

  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

  function faultOfFailure(
    operation: string | undefined,
    declared: Response | undefined,
    answer: FuzzAnswer,
  ): string | undefined {
    if (declared && codesOf(declared).length === 0) return undefined; // a reply of its own, like that of /ready
    // Which route an odd request reached is unknown: the code must be declared by some route.
    const expected = operation ? [declared] : operations.map(({ responses }) => responses[answer.status]);
    const code = codeIn(answer);
    const isDeclared = expected.some((response) => codesOf(response).includes(code));
    return isDeclared && code !== 'internal_error' ? undefined : `failed with ${answer.body.slice(0, 200)}`;
  }

  return ({ operation, method }, answer) => {
    const [verb = '', path = ''] = operation?.split(' ') ?? [];
    const responses = paths[path]?.[verb.toLowerCase()]?.responses ?? {};
    const declared = responses[answer.status];
    if (answer.status >= 500) {
      const fault = faultOfFailure(operation, declared, answer);
      if (fault) return fault;
    }
    if (method === 'HEAD' || (!operation && answer.status < 400)) return undefined;
    if (answer.status < 400 && answer.status >= 300 && declared) return undefined; // the body of a redirect is for people
    if (answer.status < 400 && !declared) return `${answer.status} is not declared`;
    return declared ? faultOfContent(declared.content, answer) : faultOfMistake(answer);
  };
}

/** Returns the code in an error body. */
export const codeIn = ({ body }: FuzzAnswer): string => /"error":"(\w+)"/.exec(body)?.[1] ?? '';

const codesOf = (response: Response | undefined): string[] =>
  Object.values(response?.content ?? {}).flatMap(({ examples = {} }) => Object.keys(examples));

const essenceOf = (type: unknown): string => (typeof type === 'string' ? type.split(';', 1)[0]! : '');
